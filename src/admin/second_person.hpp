// Who may confirm what somebody began about a person: a changed role, link or lock, or a new passkey. Private to this
// module.
//
// An admin confirms it who did not begin it and is not that person, under any uid they ever had. Root is nobody in
// particular, so it confirms only what somebody else began, and only while no other admin can act. The schema refuses
// the same pairs of uids, and `verify` looks for them (invariant 12).
#pragma once

#include "call.hpp"
#include "drawbridge/ledger/facts/people.hpp"

namespace drawbridge::admin {

struct Begun {
    std::string what;            // "change 4"
    ledger::PersonId about = 0;  // whom it changes
    std::int64_t uid = 0;        // who began it
    std::string by;              // the same as recorded: "uid 5001 (anna)"
    std::string_view did;        // "proposed it"
    std::string_view do_it;      // "propose it"
    std::string_view undo;       // "reject it"
};

// Before it begins. Error (conflict): nobody could confirm it; it says who can begin it.
[[nodiscard]] Result<void> check_somebody_can_confirm(AdminContext& context, const Begun& begun);

// Error (forbidden): it says who can confirm it, or how to begin again if nobody can.
[[nodiscard]] Result<void> check_second_person(AdminContext& context, const Begun& begun, const Call& call);

// Whether what this uid began, `at` that time, still counts: root's does, another's while they are an admin who is not
// locked, and the uid is theirs.
[[nodiscard]] bool began_as_admin(AdminContext& context, std::int64_t uid, Instant at);

}  // namespace drawbridge::admin
