# Builds dtrace-fleet if libnats and libsodium are installed. dtrace itself links neither library.
find_path(NATS_INCLUDE nats/nats.h)
find_library(NATS nats)
find_path(SODIUM_INCLUDE sodium.h)
find_library(SODIUM sodium)
# In a cross build, a library that is found on this machine may be for another processor.
if(NOT CMAKE_CROSSCOMPILING AND NATS_INCLUDE AND NATS AND SODIUM_INCLUDE AND SODIUM)
	# The package has these two sample files as examples. They are also compiled into the program,
	# for dtrace-fleet setup.
	set(samples "#include \"fleet/setup/setup.h\"\n")
	foreach(sample sample_server=fleet/nats-server.conf sample_policy=fleet/setup/policy.sample)
		string(REGEX REPLACE "(.*)=(.*)" "\\2" from ${sample})
		file(READ ${from} hex HEX)
		string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
		string(REGEX REPLACE "=.*" "" name ${sample})
		string(APPEND samples "const char ${name}[] = {${bytes}0};\n")
		set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${from})
	endforeach()
	file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/fleet_samples.c CONTENT "${samples}" @ONLY)
	# This library has everything that tests can run without a server.
	add_library(fleet STATIC fleet/admins.c fleet/answer.c fleet/audit.c fleet/confined.c fleet/files.c fleet/history.c fleet/identity.c fleet/inventory.c fleet/labels.c fleet/message.c fleet/viewer/census.c fleet/viewer/newest.c fleet/permit.c fleet/host/messenger.c fleet/host/policy.c
		fleet/request.c fleet/viewer/rollout.c fleet/sign.c fleet/viewer/verdict.c fleet/waiting.c fleet/when.c)
	target_sources(fleet PRIVATE fleet/host/cost.c fleet/host/group.c fleet/status/health.c fleet/status/version.c fleet/setup/certificates.c fleet/setup/setup.c ${CMAKE_BINARY_DIR}/fleet_samples.c)
	target_link_libraries(fleet dt ${SODIUM})
	add_library(fleetnet STATIC fleet/nats/net.c fleet/nats/collect.c fleet/nats/direct.c)
	target_link_libraries(fleetnet fleet dt ${NATS})
	add_executable(dtrace-fleet fleet/main.c fleet/host/agent.c fleet/host/always.c fleet/host/journal.c fleet/host/messenger_process.c fleet/viewer/look.c fleet/viewer/rights.c fleet/relay.c fleet/host/keeper.c fleet/host/run.c fleet/viewer/view.c fleet/viewer/follow.c
		fleet/status/audit_log.c fleet/status/runs.c)
	target_link_libraries(dtrace-fleet fleet fleetnet)
	set_source_files_properties(fleet/main.c fleet/host/agent.c fleet/relay.c fleet/host/run.c fleet/viewer/view.c PROPERTIES COMPILE_DEFINITIONS DTRACE_VERSION="${PROJECT_VERSION}")
	add_executable(fleet-simulate fleet/simulate.c) # for bench/fleet
	target_link_libraries(fleet-simulate fleet fleetnet)
else()
	message(STATUS "dtrace-fleet is left out: libnats-dev or libsodium-dev is not there, or this is built for another machine")
endif()
