// Whether people can open the web console and sign there. Private to this module.
#pragma once

#include "drawbridge/app/programs.hpp"
#include "drawbridge/config/config.hpp"

namespace drawbridge::app {

// Opens the console's page as a browser does, where the office's browsers reach it over https, and compares the
// passkeys with the site that the configuration names.
void check_console(CheckResult& result, const config::Config& config);

}  // namespace drawbridge::app
