# Builds dtrace-fleet if libnats and libsodium are installed. dtrace itself links neither.
find_path(NATS_INCLUDE nats/nats.h)
find_library(NATS nats)
find_path(SODIUM_INCLUDE sodium.h)
find_library(SODIUM sodium)
# A library found here may be for another machine.
if(NOT CMAKE_CROSSCOMPILING AND NATS_INCLUDE AND NATS AND SODIUM_INCLUDE AND SODIUM)
	# This library has the parts that tests can run without a server.
	add_library(fleet STATIC fleet/files.c fleet/identity.c fleet/inventory.c fleet/labels.c fleet/message.c fleet/newest.c fleet/permit.c fleet/policy.c
		fleet/request.c fleet/rollout.c fleet/sign.c fleet/verdict.c)
	target_link_libraries(fleet dt ${SODIUM})
	add_library(fleetnet STATIC fleet/net.c)
	target_link_libraries(fleetnet dt ${NATS})
	add_executable(dtrace-fleet fleet/main.c fleet/agent.c fleet/keeper.c fleet/run.c fleet/view.c fleet/follow.c)
	target_link_libraries(dtrace-fleet fleet fleetnet)
	set_source_files_properties(fleet/main.c fleet/agent.c fleet/run.c fleet/view.c PROPERTIES COMPILE_DEFINITIONS DTRACE_VERSION="${PROJECT_VERSION}")
	add_executable(fleet-simulate fleet/simulate.c) # for bench/fleet
	target_link_libraries(fleet-simulate fleet fleetnet)
else()
	message(STATUS "dtrace-fleet is left out: libnats-dev or libsodium-dev is not there, or this is built for another machine")
endif()
