# What a service needs, where systemd looks for it: cmake --install build/release --prefix /usr
include(GNUInstallDirs)
if(TARGET drawbridge AND TARGET drawbridge-console AND TARGET draws-sandbox)
  install(TARGETS drawbridge drawbridge-console draws-sandbox RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(FILES ${CMAKE_SOURCE_DIR}/systemd/drawbridge.service ${CMAKE_SOURCE_DIR}/systemd/drawbridge@.service
        ${CMAKE_SOURCE_DIR}/systemd/drawbridge-console.service ${CMAKE_SOURCE_DIR}/systemd/drawbridge-console.socket
        DESTINATION lib/systemd/system)
install(FILES ${CMAKE_SOURCE_DIR}/systemd/sysusers.d/drawbridge.conf DESTINATION lib/sysusers.d)
install(FILES ${CMAKE_SOURCE_DIR}/systemd/tmpfiles.d/drawbridge.conf DESTINATION lib/tmpfiles.d)
# For the office's monitoring system, to be copied there: docs/operators.md says how.
install(DIRECTORY ${CMAKE_SOURCE_DIR}/config/prometheus ${CMAKE_SOURCE_DIR}/config/grafana DESTINATION share/drawbridge)
# What the messages in the journal mean; `journalctl --catalog` shows it.
install(FILES ${CMAKE_SOURCE_DIR}/systemd/drawbridge.catalog DESTINATION lib/systemd/catalog)
install(FILES ${CMAKE_SOURCE_DIR}/README.md DESTINATION share/doc/drawbridge)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/docs/ DESTINATION share/doc/drawbridge/docs)
install(FILES ${CMAKE_SOURCE_DIR}/packaging/debian/copyright DESTINATION share/doc/drawbridge)

# /etc/drawbridge whatever the prefix, as the unit says. A file that is there is the office's own: the newer sample goes
# beside it as NAME.dist.
set(sample_config ${CMAKE_SOURCE_DIR}/config)
file(GLOB_RECURSE samples RELATIVE ${sample_config} CONFIGURE_DEPENDS ${sample_config}/*)
list(FILTER samples EXCLUDE REGEX "^(prometheus|grafana)/")
foreach(sample IN LISTS samples)
  install(CODE "
    set(target \"\$ENV{DESTDIR}/etc/drawbridge/${sample}\")
    if(EXISTS \"\${target}\")
      string(APPEND target .dist)
    endif()
    message(STATUS \"Installing: \${target}\")
    configure_file(\"${sample_config}/${sample}\" \"\${target}\" COPYONLY)")
endforeach()
