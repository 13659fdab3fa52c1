#include "second_person.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace drawbridge::admin {
namespace {

bool is_about(AdminContext& context, const Begun& begun, std::int64_t uid) {
    const auto persons = ledger::persons_ever(context.ledger, uid);
    return std::ranges::find(persons, begun.about) != persons.end();
}

// Who can confirm it now.
struct Confirmers {
    std::string admin;  // the name of one; empty: none can
    bool root = false;
};
Confirmers confirmers_of(AdminContext& context, const Begun& begun) {
    Confirmers found{.admin = {}, .root = begun.uid != 0};
    for (const auto& admin : ledger::active_holders(context.ledger, ledger::Role::admin)) {
        for (const auto uid : admin.uids) {
            if (share_a_person(context.ledger, uid, begun.uid)) continue;
            found.root = false;
            if (!is_about(context, begun, uid)) found.admin = admin.name;
        }
    }
    return found;
}

// "have root propose it"
std::string who_begins_instead(const Begun& begun) {
    return fmt::format("have {} {}", begun.uid == 0 ? "an admin" : "root", begun.do_it);
}

std::string next_step(const Begun& begun, const Confirmers& confirmers) {
    if (!confirmers.admin.empty()) return confirmers.admin + ", an admin, must confirm it";
    if (confirmers.root) return "there is no other admin, so root must confirm it";
    return fmt::format("nobody else can confirm it: {}, and {}", begun.undo, who_begins_instead(begun));
}

}  // namespace

bool began_as_admin(AdminContext& context, std::int64_t uid, Instant at) {
    return uid == 0 || (ledger::roles_are_set_up(context.ledger) &&
                        ledger::acts_for_a_person(context.ledger, uid, at, {ledger::Role::admin}));
}

Result<void> check_somebody_can_confirm(AdminContext& context, const Begun& begun) {
    const auto confirmers = confirmers_of(context, begun);
    // What root proposes before there is an admin waits for the first one.
    const bool has_admin = !ledger::active_holders(context.ledger, ledger::Role::admin).empty();
    if (!has_admin || confirmers.root || !confirmers.admin.empty()) return {};
    return fail(ErrorCode::conflict, fmt::format("{}: nobody but the person it is about could confirm it: {}",
                                                 begun.what, who_begins_instead(begun)));
}

Result<void> check_second_person(AdminContext& context, const Begun& begun, const Call& call) {
    const auto confirmers = confirmers_of(context, begun);
    const auto refuse = [&](std::string_view why) {
        return fail(ErrorCode::forbidden, fmt::format("{}: {}: {}", begun.what, why, next_step(begun, confirmers)));
    };
    if (share_a_person(context.ledger, *call.uid, begun.uid))
        return refuse(fmt::format("{} {}", call.standing.is_root ? "root" : "you", begun.did));
    if (ledger::share_a_login(begun.by, call.actor))
        return refuse(fmt::format("{} {}, and {} has the same login name: give each user the same uid on every machine",
                                  begun.by, begun.did, call.actor));
    if (is_about(context, begun, *call.uid)) return refuse("it is about you");
    if (call.standing.is_root && !confirmers.root) return refuse("root identifies no particular person");
    return {};
}

}  // namespace drawbridge::admin
