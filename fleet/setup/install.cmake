# Installs the files of dtrace-fleet and makes its Debian package.
set(FLEET_PACKAGE ${PACKAGE}-fleet)
set(FLEET_DOC ${CMAKE_INSTALL_DATADIR}/doc/${FLEET_PACKAGE})
install(TARGETS dtrace-fleet RUNTIME DESTINATION ${CMAKE_INSTALL_SBINDIR} COMPONENT fleet)
install(FILES fleet/setup/dtrace-fleet.service DESTINATION lib/systemd/system COMPONENT fleet)
install(FILES fleet/nats-server.conf DESTINATION ${FLEET_DOC}/examples COMPONENT fleet)
install(FILES fleet/setup/policy.sample DESTINATION ${FLEET_DOC}/examples RENAME policy COMPONENT fleet)
install(FILES LICENSE DESTINATION ${FLEET_DOC} RENAME copyright COMPONENT fleet)
list(APPEND CPACK_COMPONENTS_ALL fleet)
set(CPACK_DEBIAN_FLEET_PACKAGE_NAME ${FLEET_PACKAGE})
set(CPACK_DEBIAN_FLEET_PACKAGE_DEPENDS "${PACKAGE} (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_FLEET_PACKAGE_RECOMMENDS openssl) # for dtrace-fleet setup
set(CPACK_DEBIAN_FLEET_PACKAGE_SUGGESTS nats-server)
set(scripts ${CMAKE_SOURCE_DIR}/fleet/setup)
set(CPACK_DEBIAN_FLEET_PACKAGE_CONTROL_EXTRA ${scripts}/postinst ${scripts}/prerm ${scripts}/postrm)
set(CPACK_DEBIAN_FLEET_PACKAGE_CONTROL_STRICT_PERMISSION TRUE)
set(CPACK_COMPONENT_FLEET_DESCRIPTION "The dtrace-fleet command: an agent runs signed programs on a host, within
the bounds of its policy, and a viewer adds up what all hosts count.
Both connect to a nats-server with JetStream.")
