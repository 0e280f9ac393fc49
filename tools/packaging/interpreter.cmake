# Runs at installation: writes the installed path of dtrace into the first line of scripts.  ${sbin} and ${scripts} are
# folders below the prefix.
set(prefix ${CMAKE_INSTALL_PREFIX})
if(prefix MATCHES "/_CPack_Packages/") # CPack is making a package in this folder
	set(prefix /usr)
endif()
file(GLOB files "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${scripts}/*.d")
foreach(file ${files})
	file(READ "${file}" text)
	string(REPLACE "#!/usr/bin/env -S dtrace -s\n" "#!${prefix}/${sbin}/dtrace -s\n" text "${text}")
	file(WRITE "${file}" "${text}")
endforeach()
