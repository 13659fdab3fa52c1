// /healthz and /readyz. Private to this module.
//
// Healthy: the process answers and its work loop runs; otherwise it should be restarted. Ready: healthy, and the
// pipeline works: the rules and payees on disk are in force, the last run of each step succeeded, and nothing is
// paused. The answers are fixed sentences without names, numbers or text from outside.
#pragma once

#include "drawbridge/admin/handlers.hpp"

namespace drawbridge::admin {

[[nodiscard]] Response healthz(AdminContext& context);
[[nodiscard]] Response readyz(AdminContext& context);

}  // namespace drawbridge::admin
