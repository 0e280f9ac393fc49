# Installs all files, and makes the Debian package.
set(PACKAGE dtrace-net)
set(RELEASED 2026-11-22)
set(DOC ${CMAKE_INSTALL_DATADIR}/doc/${PACKAGE})

# systemtap-sdt-dev has another dtrace in /usr/bin. Ours is in sbin, which comes first in root's PATH.
install(TARGETS dtrace RUNTIME DESTINATION ${CMAKE_INSTALL_SBINDIR})

# The first line of a script has the path of this dtrace, because PATH may find another one.
install(DIRECTORY scripts/ DESTINATION ${SCRIPT_INSTALL_DIR} FILES_MATCHING PATTERN *.d
	PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
install(CODE "set(sbin ${CMAKE_INSTALL_SBINDIR})\nset(scripts ${SCRIPT_INSTALL_DIR})")
install(SCRIPT tools/packaging/interpreter.cmake)

# dwatch finds its profiles relative to its own place, as dtrace finds its scripts.
install(PROGRAMS scripts/dwatch/dwatch DESTINATION ${CMAKE_INSTALL_SBINDIR})
install(DIRECTORY scripts/dwatch/profiles/ DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/dwatch PATTERN README.md EXCLUDE)
install(FILES scripts/dwatch/profiles/README.md DESTINATION ${DOC} RENAME dwatch-profiles.md)

# The library texts, which are also built in. Users can read them, or change copies of them and use
# these with -x syslibdir. The names begin with numbers, because dtrace reads the files of such a
# folder in the order of their names.
set(n 10)
foreach(text ${LIBRARY_D})
	get_filename_component(name ${text} NAME_WE)
	if(text MATCHES "^translators/")
		string(APPEND name "-types")
	endif()
	install(FILES ${text} DESTINATION ${CMAKE_INSTALL_DATADIR}/dtrace/lib RENAME ${n}-${name}.d)
	math(EXPR n "${n} + 1")
endforeach()

install(FILES README.md CONTRIBUTING.md DESTINATION ${DOC})
install(DIRECTORY docs DESTINATION ${DOC} FILES_MATCHING PATTERN *.md)
# Captures that the tutorial and the cookbook use.
install(FILES tests/pcap/connections.pcap tests/pcap/damaged.pcap tests/pcap/demo.pcap tests/pcap/scan.pcap
	tests/pcap/seconds.pcap tests/pcap/sessions.pcap tests/pcap/tcp.pcap DESTINATION ${DOC}/examples)
install(FILES LICENSE DESTINATION ${DOC} RENAME copyright)

install(FILES tools/packaging/completion/dtrace.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
	RENAME dtrace)
install(FILES tools/packaging/completion/_dtrace DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES tools/packaging/completion/dtrace.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# Debian requires that these files are compressed. gzip -n gives the same bytes every time.
set(installed ${CMAKE_BINARY_DIR}/installed)
find_program(GZIP gzip)
function(install_compressed from dir name)
	if(GZIP)
		get_filename_component(full ${from} ABSOLUTE)
		add_custom_command(OUTPUT ${installed}/${name}.gz
			COMMAND ${CMAKE_COMMAND} -E make_directory ${installed}
			COMMAND ${GZIP} -9nc ${full} > ${installed}/${name}.gz DEPENDS ${full} VERBATIM)
		set_property(GLOBAL APPEND PROPERTY COMPRESSED ${installed}/${name}.gz)
		install(FILES ${installed}/${name}.gz DESTINATION ${dir} ${ARGN})
	else()
		install(FILES ${from} DESTINATION ${dir} RENAME ${name} ${ARGN})
	endif()
endfunction()
install_compressed(tools/packaging/changelog ${DOC} changelog)
if(TARGET dtrace-fleet)
	install(FILES ${installed}/changelog.gz DESTINATION ${DOC}-fleet COMPONENT fleet)
endif()

# Pages that are written by hand; docs/dtrace-hooks.4 describes the host providers.
install_compressed(docs/dtrace.8 ${CMAKE_INSTALL_MANDIR}/man8 dtrace.8)
install_compressed(docs/dwatch.8 ${CMAKE_INSTALL_MANDIR}/man8 dwatch.8)
if(TARGET dtrace-fleet)
	install_compressed(docs/dtrace-fleet.8 ${CMAKE_INSTALL_MANDIR}/man8 dtrace-fleet.8 COMPONENT fleet)
endif()
install_compressed(docs/d.7 ${CMAKE_INSTALL_MANDIR}/man7 d.7)
install_compressed(docs/dtrace-hooks.4 ${CMAKE_INSTALL_MANDIR}/man4 dtrace-hooks.4)
file(GLOB hosts RELATIVE ${CMAKE_SOURCE_DIR}/providers CONFIGURE_DEPENDS providers/*/*.c)
foreach(host ${hosts})
	get_filename_component(host ${host} DIRECTORY)
	if(NOT host STREQUAL "replay" AND NOT EXISTS ${CMAKE_SOURCE_DIR}/providers/${host}/${host}.d)
		file(WRITE ${installed}/dtrace-${host}.4 ".so man4/dtrace-hooks.4\n")
		install_compressed(${installed}/dtrace-${host}.4 ${CMAKE_INSTALL_MANDIR}/man4 dtrace-${host}.4)
	endif()
endforeach()

# Pages that tools/manual.c makes from the comments of the library and of scripts, in ${made}. A build for
# another machine needs an emulator to make them.
set(made ${CMAKE_BINARY_DIR}/pages)
if(NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR)
	add_executable(manual tools/manual.c cmd/about/doc.c cmd/about/scripts.c)
	target_compile_definitions(manual PRIVATE DTRACE_VERSION="${PROJECT_VERSION}" DTRACE_DATE="${RELEASED}")
	target_link_libraries(manual dt)
	set(pages "")
	foreach(text ${LIBRARY_D})
		if(text MATCHES "^providers/([a-z]+)/")
			list(APPEND pages dtrace-${CMAKE_MATCH_1}.4)
		endif()
	endforeach()
	file(GLOB scripts CONFIGURE_DEPENDS scripts/*.d)
	foreach(script ${scripts})
		get_filename_component(name ${script} NAME_WE)
		list(APPEND pages dtrace-${name}.8)
	endforeach()
	list(TRANSFORM pages PREPEND ${made}/ OUTPUT_VARIABLE paths)
	file(MAKE_DIRECTORY ${made})
	add_custom_command(OUTPUT ${paths}
		COMMAND manual ${made} ${CMAKE_SOURCE_DIR}/docs/scripts.md ${scripts}
		DEPENDS manual docs/scripts.md ${scripts} VERBATIM)
	add_custom_target(manual-pages ALL DEPENDS ${paths})
	foreach(page ${pages})
		string(REGEX REPLACE ".*\\." "" section ${page})
		install_compressed(${made}/${page} ${CMAKE_INSTALL_MANDIR}/man${section} ${page})
	endforeach()
endif()
get_property(compressed GLOBAL PROPERTY COMPRESSED)
add_custom_target(compressed ALL DEPENDS ${compressed})

# Libraries that dtrace loads only when a run needs them (tools/packages, run) are recommended; linked libraries are
# dependencies.
file(STRINGS tools/packages run REGEX "^run: ")
string(REPLACE "run: " "" run "${run}")
string(REPLACE " " ", " run "${run}")
string(REPLACE "|" " | " run "${run}")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ${PACKAGE})
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "dtrace-net maintainers <maintainers@dtrace-net.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "DTrace for Linux networks, live and from capture files")
set(CPACK_PACKAGE_DESCRIPTION "The dtrace command with stable ip, tcp, udp, udplite, icmp and dns providers.
D programs are compiled to eBPF and run in the kernel, or on the packets
of a capture file. No compiler, no kernel headers and no kernel module
are needed. Scripts for common questions come with it.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
	WORLD_READ WORLD_EXECUTE)
# Folders that only CPack makes take the builder's umask: with umask 077 only root could read /usr.
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/tools/packaging/modes.cmake)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_RECOMMENDS "${run}")
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_SUGGESTS systemtap-sdt-dev)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_CONFLICTS dtrace) # the package dtrace also has a file /usr/sbin/dtrace

# Programs that link NATS are in a package of their own.
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL Unspecified)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_NAME ${PACKAGE})
set(CPACK_COMPONENT_UNSPECIFIED_DESCRIPTION "${CPACK_PACKAGE_DESCRIPTION}")
if(TARGET dtrace-fleet)
	include(fleet/setup/install.cmake)
endif()
include(CPack)
