// The program's log: to stderr, never to stdout. Under the journal each line bears its priority ("<6>"), elsewhere the
// time. No secret and no account number is ever given to it.
#pragma once

#include <spdlog/logger.h>

#include <memory>

#include "drawbridge/config/config.hpp"

namespace drawbridge::daemon {

using Log = std::shared_ptr<spdlog::logger>;

[[nodiscard]] Log make_log(config::LogLevel level);

}  // namespace drawbridge::daemon
