# Generates drawbridge(1) from the program's command line and the section 5 pages from docs/. scripts/package builds the
# target `manuals`; the built pages are installed.
if(TARGET drawbridge)
  find_program(LOWDOWN lowdown)
  set(manuals ${CMAKE_BINARY_DIR}/manuals)
  file(MAKE_DIRECTORY ${manuals})
  add_custom_command(OUTPUT ${manuals}/drawbridge.1 COMMAND drawbridge manual-page > ${manuals}/drawbridge.1 DEPENDS drawbridge VERBATIM)
  add_custom_command(OUTPUT ${manuals}/drawbridge.bash COMMAND drawbridge bash-completion > ${manuals}/drawbridge.bash DEPENDS drawbridge VERBATIM)
  add_custom_command(OUTPUT ${manuals}/drawbridge-console.1 COMMAND drawbridge-console --manual-page > ${manuals}/drawbridge-console.1
    DEPENDS drawbridge-console VERBATIM)
  add_custom_command(OUTPUT ${manuals}/draws-sandbox.1 COMMAND draws-sandbox --manual-page > ${manuals}/draws-sandbox.1
    DEPENDS draws-sandbox VERBATIM)
  set(pages ${manuals}/drawbridge.1 ${manuals}/drawbridge-console.1 ${manuals}/draws-sandbox.1 ${manuals}/drawbridge.bash)
  # Debian compresses its manual pages.
  function(manual_of page source name about)
    add_custom_command(OUTPUT ${manuals}/${page}
      COMMAND ${CMAKE_SOURCE_DIR}/scripts/manual "${name}" ${CMAKE_SOURCE_DIR}/docs/${source} "${about}" > ${manuals}/${page}
      DEPENDS ${CMAKE_SOURCE_DIR}/docs/${source} ${CMAKE_SOURCE_DIR}/scripts/manual VERBATIM)
    set(pages ${pages} ${manuals}/${page} PARENT_SCOPE)
  endfunction()
  manual_of(drawbridge-rules.5 rules.md drawbridge-rules "which draws Drawbridge approves without a person")
  manual_of(drawbridge.yaml.5 configuration.md drawbridge.yaml "Drawbridge's configuration, key by key")
  add_custom_command(OUTPUT ${manuals}/changelog.gz COMMAND gzip -9nc ${CMAKE_SOURCE_DIR}/packaging/debian/changelog > ${manuals}/changelog.gz
    DEPENDS ${CMAKE_SOURCE_DIR}/packaging/debian/changelog VERBATIM)
  set(compressed ${manuals}/changelog.gz)
  foreach(page drawbridge.1 drawbridge-console.1 draws-sandbox.1 drawbridge-rules.5 drawbridge.yaml.5)
    add_custom_command(OUTPUT ${manuals}/${page}.gz COMMAND gzip -9nc ${manuals}/${page} > ${manuals}/${page}.gz
      DEPENDS ${manuals}/${page} VERBATIM)
    list(APPEND compressed ${manuals}/${page}.gz)
  endforeach()
  add_custom_target(manuals DEPENDS ${pages} ${compressed})
  install(FILES ${manuals}/changelog.gz DESTINATION share/doc/drawbridge OPTIONAL)
  install(FILES ${manuals}/drawbridge.1.gz ${manuals}/drawbridge-console.1.gz ${manuals}/draws-sandbox.1.gz DESTINATION share/man/man1 OPTIONAL)
  install(FILES ${manuals}/drawbridge-rules.5.gz ${manuals}/drawbridge.yaml.5.gz DESTINATION share/man/man5 OPTIONAL)
  install(FILES ${manuals}/drawbridge.bash DESTINATION share/bash-completion/completions RENAME drawbridge OPTIONAL)
endif()
