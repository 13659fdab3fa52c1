// A person decides: held draws are approved in place of a rule.
#pragma once

#include "call.hpp"

namespace drawbridge::admin {

// {"ids": [...], "approver_id": N (optional), "reason"}. All of them or none: what stands against any is named for
// each. The approve step submits them as it does those of rules. The approver id must not be another person's; where
// people are set up it must be linked to the caller's person, whose only one is taken when none is named. Without
// set-up the rule set's is.
[[nodiscard]] Result<json> approve_draws(AdminContext& context, const Call& call, const std::string& reason);

}  // namespace drawbridge::admin
