// The daemon: schedule, signals and sockets around an application.
#pragma once

#include "drawbridge/daemon/application.hpp"
#include "drawbridge/daemon/log.hpp"

namespace drawbridge::daemon {

// Runs until SIGTERM or SIGINT. False: it could not serve, or a task failed; the log says why.
[[nodiscard]] bool run(Application& app, const Log& log);

}  // namespace drawbridge::daemon
