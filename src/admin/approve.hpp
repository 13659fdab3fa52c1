// A person approves held draws instead of a rule.
#pragma once

#include "call.hpp"

namespace drawbridge::admin {

// The draws that a person wants to approve, as they are now.
struct Approval {
    std::vector<DrawId> ids;
    std::int64_t approver_id = 0;
    Money total;
    json draws = json::array();     // [{"id", "amount", "payee"}]
    std::vector<std::string> seen;  // records::Draw::seen of each
    // {"draws": 3, "total": "1250.00", "seen": [...]}: what the person must have seen.
    [[nodiscard]] json expected() const;
};
// `known`: the draw as last read; nullptr: nothing was read.
[[nodiscard]] records::Draw record_of(const AdminContext& context, const ledger::DrawRow& row, const Draw* known);

// Every check of approve_draws().
[[nodiscard]] Result<Approval> check_approval(AdminContext& context, const Call& call, const std::string& reason);

// {"ids": [...], "approver_id": N (optional), "reason", "expect": as above (optional, and each of its keys, but not
// all)}. Approves all draws or none; the error lists every obstacle. With "preview": true it approves nothing, and
// answers with the draws, their total and "expect". The approve step submits them like approvals by rules. The approver
// id must not be another person's. Once people are set up, it must be linked to the caller, and defaults to the
// caller's only id. Before that, it defaults to the rule set's.
[[nodiscard]] Result<json> approve_draws(AdminContext& context, const Call& call, const std::string& reason);

}  // namespace drawbridge::admin
