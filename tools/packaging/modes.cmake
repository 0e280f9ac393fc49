# CPack runs this on the tree that it packs.

# install() cannot make folders outside of /usr. The only one is that of the agent's policy and certificates.
if(IS_DIRECTORY ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/fleet)
	file(MAKE_DIRECTORY ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/fleet/etc/dtrace-fleet)
endif()

# All users may read files, and run executable ones.
execute_process(COMMAND chmod -R u=rwX,go=rX ${CPACK_TEMPORARY_INSTALL_DIRECTORY} RESULT_VARIABLE failed)
if(failed)
	message(FATAL_ERROR "cannot set the modes of ${CPACK_TEMPORARY_INSTALL_DIRECTORY}")
endif()
