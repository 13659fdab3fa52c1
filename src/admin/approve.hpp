// A person approves held draws instead of a rule.
#pragma once

#include "call.hpp"

namespace drawbridge::admin {

// {"ids": [...], "approver_id": N (optional), "reason"}. Approves all draws or none; the error lists every obstacle.
// The approve step submits them like approvals by rules. The approver id must not be another person's. Once people are
// set up, it must be linked to the caller, and defaults to the caller's only id. Before that, it defaults to the rule
// set's.
[[nodiscard]] Result<json> approve_draws(AdminContext& context, const Call& call, const std::string& reason);

}  // namespace drawbridge::admin
