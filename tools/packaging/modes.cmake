# Run by CPack on the tree that it is about to pack: everybody may read, and use what is executable.
execute_process(COMMAND chmod -R u=rwX,go=rX ${CPACK_TEMPORARY_INSTALL_DIRECTORY} RESULT_VARIABLE failed)
if(failed)
	message(FATAL_ERROR "the modes of ${CPACK_TEMPORARY_INSTALL_DIRECTORY} cannot be set")
endif()
