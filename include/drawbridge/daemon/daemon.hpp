// The daemon: schedule, signals and sockets around an application.
#pragma once

#include <functional>

#include "drawbridge/admin/handlers.hpp"
#include "drawbridge/daemon/application.hpp"
#include "drawbridge/daemon/log.hpp"

namespace drawbridge::daemon {

// Answers a report query from the server in ledger.read_url, including everything committed. On its own thread, one
// query at a time. Error: it cannot be answered there.
using AnswerReport =
    std::function<Result<admin::Response>(const admin::Request& request, const ledger::Position& written)>;

// `answer_report`: empty without that server. Runs until SIGTERM or SIGINT. False: it could not serve, or a task
// failed; the log says why.
[[nodiscard]] bool run(Application& app, const Log& log, AnswerReport answer_report);

}  // namespace drawbridge::daemon
