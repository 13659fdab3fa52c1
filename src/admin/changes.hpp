// The routes about changed rules and payees that wait for two persons. Private to this module.
//
// Any two different persons with the role operator or releaser accept; each only once, by whatever uid. uid 0 and the
// daemon's own user are nobody in particular: they accept nothing where people are set up, and count as one where not.
// Accepting makes nobody a maker.
#pragma once

#include "call.hpp"
#include "drawbridge/ledger/people.hpp"

namespace drawbridge::admin {

inline constexpr ledger::Roles accepters_of_changes{ledger::Role::operate, ledger::Role::releaser};

[[nodiscard]] Answer changes_view(AdminContext& context, const Call& call);
[[nodiscard]] Answer show_change(AdminContext& context, const Call& call);
[[nodiscard]] Answer accept_change(AdminContext& context, const Call& call);
[[nodiscard]] Answer reject_change(AdminContext& context, const Call& call);

// For GET /status: what is under control, and what waits.
[[nodiscard]] json change_control_view(AdminContext& context);

}  // namespace drawbridge::admin
