// A person decides: held draws are approved in place of a rule.
#pragma once

#include "views.hpp"

namespace drawbridge::admin {

// {"ids": [...], "approver_id": N (optional: the rule set's), "reason"}. All of them or none: what stands against any
// is named for each. The approve stage submits them as it does those of rules.
[[nodiscard]] Result<json> approve_draws(AdminContext& context, const json& body, const std::string& reason,
                                         const ledger::Stamp& stamp);

}  // namespace drawbridge::admin
