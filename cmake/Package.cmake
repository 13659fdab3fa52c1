# The Debian package. `scripts/package` runs cpack with these settings.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME drawbridge)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
# Whoever builds the package names the person who answers for it: SECURITY.md sends reports there.
set(DRAWBRIDGE_MAINTAINER "The Drawbridge developers <drawbridge@packages.invalid>" CACHE STRING
    "the maintainer that the package names, like 'Name <address>'")
set(CPACK_PACKAGE_CONTACT "${DRAWBRIDGE_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "pays approved draws through the bank and reports the payments")
set(CPACK_PACKAGE_DESCRIPTION
"Drawbridge is a daemon for the finance office of a grants or assistance
program. It approves the draws that the office's rules allow, writes ACH and
check payment files for everything approved, reads the bank's confirmations
and reports each disbursement back, with every step in a local ledger.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_SET_DESTDIR ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "tzdata, ca-certificates, systemd")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "msmtp-mta, prometheus")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(debian ${CMAKE_SOURCE_DIR}/packaging/debian)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
    "${debian}/postinst;${debian}/prerm;${debian}/postrm;${CMAKE_BINARY_DIR}/packaging/conffiles")

# The sample configuration. dpkg asks before it replaces a file that the office changed.
file(GLOB_RECURSE samples RELATIVE ${CMAKE_SOURCE_DIR}/config CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/config/*)
list(FILTER samples EXCLUDE REGEX "^(examples|prometheus|grafana|postgresql)/")
list(TRANSFORM samples PREPEND /etc/drawbridge/)
list(JOIN samples "\n" conffiles)
file(WRITE ${CMAKE_BINARY_DIR}/packaging/conffiles "${conffiles}\n")
include(CPack)
