# Installs the programs, the units and the documentation: cmake --install build/release --prefix /usr
include(GNUInstallDirs)
if(TARGET drawbridge AND TARGET drawbridge-console AND TARGET draws-sandbox)
  install(TARGETS drawbridge drawbridge-console draws-sandbox RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(FILES ${CMAKE_SOURCE_DIR}/systemd/drawbridge.service ${CMAKE_SOURCE_DIR}/systemd/drawbridge@.service
        ${CMAKE_SOURCE_DIR}/systemd/drawbridge-console.service ${CMAKE_SOURCE_DIR}/systemd/drawbridge-console.socket
        DESTINATION lib/systemd/system)
install(FILES ${CMAKE_SOURCE_DIR}/systemd/sysusers.d/drawbridge.conf DESTINATION lib/sysusers.d)
install(FILES ${CMAKE_SOURCE_DIR}/systemd/tmpfiles.d/drawbridge.conf DESTINATION lib/tmpfiles.d)
# For the office's monitoring system. docs/monitoring.md describes the setup.
install(DIRECTORY ${CMAKE_SOURCE_DIR}/config/prometheus ${CMAKE_SOURCE_DIR}/config/grafana
        DESTINATION share/drawbridge)
# For the database team, where the ledger is in PostgreSQL: docs/high-availability.md.
install(DIRECTORY ${CMAKE_SOURCE_DIR}/config/postgresql DESTINATION share/drawbridge)
# The meaning of the journal messages, for `journalctl --catalog`.
install(FILES ${CMAKE_SOURCE_DIR}/systemd/drawbridge.catalog DESTINATION lib/systemd/catalog)
install(FILES ${CMAKE_SOURCE_DIR}/README.md ${CMAKE_SOURCE_DIR}/CHANGELOG.md ${CMAKE_SOURCE_DIR}/SECURITY.md ${CMAKE_SOURCE_DIR}/CONTRIBUTING.md
  DESTINATION share/doc/drawbridge)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/docs/ DESTINATION share/doc/drawbridge/docs)
# Not in /etc/drawbridge: a half configured machine must approve nothing and pay nobody.
install(DIRECTORY ${CMAKE_SOURCE_DIR}/config/examples DESTINATION share/doc/drawbridge)
install(FILES ${CMAKE_SOURCE_DIR}/packaging/debian/copyright DESTINATION share/doc/drawbridge)

# Always /etc/drawbridge, as in the unit. An existing file belongs to the office: the newer sample is installed next to it
# as NAME.dist.
set(sample_config ${CMAKE_SOURCE_DIR}/config)
file(GLOB_RECURSE samples RELATIVE ${sample_config} CONFIGURE_DEPENDS ${sample_config}/*)
list(FILTER samples EXCLUDE REGEX "^(examples|prometheus|grafana|postgresql)/")
foreach(sample IN LISTS samples)
  install(CODE "
    set(target \"\$ENV{DESTDIR}/etc/drawbridge/${sample}\")
    if(EXISTS \"\${target}\")
      string(APPEND target .dist)
    endif()
    message(STATUS \"Installing: \${target}\")
    configure_file(\"${sample_config}/${sample}\" \"\${target}\" COPYONLY)")
endforeach()
