// Compares two rule sets on past decisions. Records nothing and approves nothing.
#pragma once

#include "drawbridge/admin/handlers.hpp"
#include "views.hpp"

namespace drawbridge::admin {

// {"rules", "file": the candidate; "base", "base_file": instead of the rules in force; "since"; "after"}: a slice of
// the history, with "next_after" if there is more. Each draw is decided as it was at its decision, at that time, among
// the draws requested until then. Limits are not replayed.
[[nodiscard]] Result<json> backtest(AdminContext& context, const json& body);

}  // namespace drawbridge::admin
