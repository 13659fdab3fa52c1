// The acts and queries behind the operators' API, with or without a daemon.
#pragma once

#include <string>

#include "application.hpp"
#include "drawbridge/admin/handlers.hpp"

namespace drawbridge::daemon {

// The context of the operators' API that `program` serves. Fills in all members except `verify`.
[[nodiscard]] admin::AdminContext admin_context(Application& app, admin::Program& program);

}  // namespace drawbridge::daemon
