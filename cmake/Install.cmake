# Where an installation puts what a service needs (a prefix of /usr or /usr/local is expected).
include(GNUInstallDirs)
if(TARGET drawbridge AND TARGET draws-sandbox)
  install(TARGETS drawbridge draws-sandbox RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY ${CMAKE_SOURCE_DIR}/config/ DESTINATION ${CMAKE_INSTALL_FULL_SYSCONFDIR}/drawbridge)
install(FILES ${CMAKE_SOURCE_DIR}/systemd/drawbridge.service DESTINATION lib/systemd/system)
install(FILES ${CMAKE_SOURCE_DIR}/systemd/sysusers.d/drawbridge.conf DESTINATION lib/sysusers.d)
install(FILES ${CMAKE_SOURCE_DIR}/systemd/tmpfiles.d/drawbridge.conf DESTINATION lib/tmpfiles.d)
