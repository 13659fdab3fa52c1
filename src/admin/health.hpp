// /healthz and /readyz. Private to this module.
//
// Healthy: the process answers and its work loop moves; otherwise it should be started anew. Ready: healthy, and draws
// go their way: rules and payees in force are those on disk, the last poll was answered, nothing is paused. The answers
// are fixed sentences: no name, no number, no text from outside.
#pragma once

#include "drawbridge/admin/handlers.hpp"

namespace drawbridge::admin {

[[nodiscard]] Response healthz(AdminContext& context);
[[nodiscard]] Response readyz(AdminContext& context);

}  // namespace drawbridge::admin
