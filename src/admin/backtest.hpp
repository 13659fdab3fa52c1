// Two rule sets over this office's own history: which decisions would change. Records nothing, approves nothing.
#pragma once

#include "drawbridge/admin/handlers.hpp"
#include "views.hpp"

namespace drawbridge::admin {

// {"rules", "file": the candidate; "base", "base_file": instead of the rules in force; "since"; "after"}: a slice of
// the history, and "next_after" when there is more. Each draw is decided as it was at the reading that was decided, at
// that time, among the draws requested until then; limits are not replayed.
[[nodiscard]] Result<json> backtest(AdminContext& context, const json& body);

}  // namespace drawbridge::admin
