// The routes for changed rules and payees that need two people. Private to this module.
//
// Two different people with the role operator or releaser must accept; several uids of one person count once. uid 0
// and the daemon's user are nobody in particular: once people are set up they cannot accept, and before that they count
// as one person. Accepting makes nobody a maker.
#pragma once

#include "call.hpp"
#include "drawbridge/admin/records.hpp"
#include "drawbridge/ledger/facts/people.hpp"

namespace drawbridge::admin {

inline constexpr ledger::Roles accepters_of_changes{ledger::Role::operate, ledger::Role::releaser};

[[nodiscard]] Answer changes_view(AdminContext& context, const Call& call);
[[nodiscard]] Answer show_change(AdminContext& context, const Call& call);
// Which file it changes, and whether an acceptance now puts it in force: {"kind", "in_force"}. Error: it does not wait.
[[nodiscard]] Result<json> expected_of_change(AdminContext& context, const Call& call);
// Error (conflict): not what "expect" says, if the body has that.
[[nodiscard]] Answer accept_change(AdminContext& context, const Call& call);
[[nodiscard]] Answer reject_change(AdminContext& context, const Call& call);

// For GET /status: which files are under change control, and the waiting changes.
[[nodiscard]] records::ChangeControl change_control(AdminContext& context);

}  // namespace drawbridge::admin
