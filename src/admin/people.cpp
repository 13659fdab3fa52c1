#include "people.hpp"

#include <unistd.h>

#include <algorithm>

#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/ledger/facts/passkeys.hpp"
#include "drawbridge/ledger/facts/people.hpp"
#include "person_name.hpp"
#include "second_person.hpp"

namespace drawbridge::admin {
namespace {

using ledger::Change;
using ledger::ChangeKind;
using ledger::Identity;
using ledger::Role;

constexpr std::size_t max_name = 100;
constexpr std::size_t max_address = 254;
constexpr std::int64_t max_uid = 4'294'967'294;

// Without the one that the console acts with.
std::vector<std::int64_t> uids_of_accounts(const ledger::Person& person) {
    auto uids = person.uids;
    std::erase_if(uids, ledger::is_console_uid);
    return uids;
}

json person_view(const ledger::Person& person) {
    std::vector<std::string> roles;
    for (const Role role : ledger::all_roles) {
        if (person.roles.has(role)) roles.emplace_back(to_string(role));
    }
    return to_json(records::Person{.id = person.person_id,
                                   .name = person.name,
                                   .locked = person.locked,
                                   .roles = std::move(roles),
                                   .uids = uids_of_accounts(person),
                                   .emails = person.emails,
                                   .approver_ids = person.approver_ids});
}

std::string name_of(AdminContext& context, ledger::PersonId person_id) {
    const auto person = ledger::find_person(context.ledger, person_id);
    return person ? person->name : std::string();
}

json change_view(AdminContext& context, const ledger::ProposedChange& change) {
    return to_json(records::ProposedChange{.id = change.change_id,
                                           .person_id = change.what.person_id,
                                           .person = name_of(context, change.what.person_id),
                                           .change = describe(change.what),
                                           .proposed_at = change.proposed_at,
                                           .proposed_by = change.proposed_by,
                                           .reason = change.reason});
}

Result<ledger::PersonId> person_in(const Call& call) {
    return whole_number(call.path[1], "the person", 1, INT64_MAX);
}

// An email address in lower case.
Result<std::string> address_in(const json& value) {
    const std::string text = value.is_string() ? lowercase(value.get<std::string>()) : std::string();
    const auto at = text.find('@');
    const bool plain = std::ranges::all_of(text, [](char c) { return c > ' ' && c < 0x7F; });
    if (plain && at != std::string::npos && at > 0 && at + 1 < text.size() && text.size() <= max_address) return text;
    return fail(ErrorCode::invalid_input, "'email' is not an email address like anna@example.gov");
}

Result<std::string> number_in(const json& value, const std::string& what, std::int64_t greatest) {
    if (value.is_number_integer() && value >= 1 && value <= greatest) return std::to_string(value.get<std::int64_t>());
    return fail(ErrorCode::invalid_input, "'" + what + "' is not a whole number from 1 to " + std::to_string(greatest));
}

// The uid, email address or approver id in the body.
Result<Change> link_in(const Call& call, ledger::PersonId person_id) {
    Change change{person_id, call.path[2] == "link" ? ChangeKind::link : ChangeKind::unlink};
    Result<std::string> value = fail(ErrorCode::invalid_input, "name one of 'uid', 'email' and 'approver_id'");
    int given = 0;
    for (const auto kind : {Identity::uid, Identity::email, Identity::approver_id}) {
        const std::string key(to_string(kind));
        const auto found = call.body.find(key);
        if (found == call.body.end()) continue;
        ++given;
        change.identity = kind;
        if (kind == Identity::email) value = address_in(*found);
        if (kind == Identity::uid) value = number_in(*found, key, max_uid);
        if (kind == Identity::approver_id) value = number_in(*found, key, INT64_MAX);
    }
    if (given > 1) return fail(ErrorCode::invalid_input, "name only one of 'uid', 'email' and 'approver_id'");
    if (!value) return std::unexpected(value.error());
    change.value = std::move(*value);
    if (change.kind == ChangeKind::link && change.identity == Identity::uid &&
        change.value == std::to_string(::geteuid())) {
        return fail(ErrorCode::invalid_input,
                    "uid " + change.value + " is the daemon's own: it cannot belong to a person");
    }
    return change;
}

Begun begun_change(std::string what, ledger::PersonId about, std::int64_t uid, std::string by) {
    return {.what = std::move(what),
            .about = about,
            .uid = uid,
            .by = std::move(by),
            .did = "proposed it",
            .do_it = "propose it",
            .undo = "reject it"};
}

// Whether root's change takes effect at once, because no admin exists who could confirm it.
Result<bool> takes_effect_at_once(AdminContext& context, const Change& change, const Call& call) {
    if (!call.standing.is_root || !ledger::active_holders(context.ledger, Role::admin).empty()) return false;
    if (change.kind == ChangeKind::revoke) return false;
    if (change.kind != ChangeKind::grant) return true;
    if (change.role != Role::admin) return false;
    const auto person = ledger::find_person(context.ledger, change.person_id);
    if (person && !person->uids.empty() && !person->locked) return true;
    return fail(ErrorCode::conflict, "the first admin needs a login: first link a uid with `drawbridge people link " +
                                         std::to_string(change.person_id) + " --uid N --reason …` first");
}

Answer order(AdminContext& context, const Change& change, const Call& call) {
    const auto reason = reason_of(call);
    if (!reason) return std::unexpected(reason.error());
    const auto at_once = takes_effect_at_once(context, change, call);
    if (!at_once) return std::unexpected(at_once.error());
    const auto by = stamp(context, call);
    json answer = {{"change", describe(change)}, {"person_id", change.person_id}, {"in_effect", *at_once}};
    if (!*at_once) {
        const auto begun = begun_change(describe(change), change.person_id, by.uid.value_or(0), by.actor);
        if (auto possible = check_somebody_can_confirm(context, begun); !possible)
            return std::unexpected(possible.error());
    }
    const auto done = context.ledger.transaction([&]() -> Result<void> {
        if (*at_once) return make_change(context.ledger, change, *reason, by);
        const auto proposed = propose_change(context.ledger, change, *reason, by);
        if (!proposed) return std::unexpected(proposed.error());
        answer["waits_as"] = *proposed;
        return {};
    });
    if (!done) return std::unexpected(done.error());
    return answer;
}

Result<ledger::ProposedChange> change_in(AdminContext& context, const Call& call) {
    const auto id = whole_number(call.path[2], "the change", 1, INT64_MAX);
    if (!id) return std::unexpected(id.error());
    auto change = ledger::find_waiting_change(context.ledger, *id);
    if (change) return std::move(*change);
    return fail(ErrorCode::not_found,
                "no change " + call.path[2] + " is waiting: `drawbridge people list` lists the waiting changes");
}

Result<void> may_confirm(AdminContext& context, const ledger::ProposedChange& change, const Call& call) {
    const auto begun = begun_change("change " + std::to_string(change.change_id), change.what.person_id,
                                    change.proposed_uid, change.proposed_by);
    if (auto second = check_second_person(context, begun, call); !second) return second;
    if (began_as_admin(context, change.proposed_uid, change.proposed_at)) return {};
    return fail(ErrorCode::forbidden, begun.what + ": " + change.proposed_by +
                                          ", who proposed it, is no longer an admin: reject it and propose it again");
}

}  // namespace

Answer people_view(AdminContext& context) {
    json people = json::array();
    for (const auto& person : ledger::people(context.ledger))
        people.push_back(person_view(person));
    json waiting = json::array();
    for (const auto& change : ledger::waiting_changes(context.ledger))
        waiting.push_back(change_view(context, change));
    return json{{"set_up", ledger::roles_are_set_up(context.ledger)}, {"people", people}, {"waiting", waiting}};
}

Answer add_person(AdminContext& context, const Call& call) {
    const auto reason = reason_of(call);
    if (!reason) return std::unexpected(reason.error());
    const auto name = call.body.value("name", json(""));
    const std::string chosen = name.is_string() ? name.get<std::string>() : std::string();
    if (chosen.find_first_not_of(' ') == std::string::npos || chosen.size() > max_name) {
        return fail(ErrorCode::invalid_input, "'name' is not a name of 1 to " + std::to_string(max_name) + " bytes");
    }
    if (const auto fault = fault_in_name(chosen))
        return fail(ErrorCode::invalid_input, "'name' " + std::string(*fault));
    for (const auto& other : ledger::people(context.ledger)) {
        if (!is_same_name(other.name, chosen)) continue;
        return fail(ErrorCode::conflict, "'name' is the name of person " + std::to_string(other.person_id) +
                                             ": add what tells the two apart, such as a middle name or a department");
    }
    const auto by = stamp(context, call);
    const auto person_id =
        context.ledger.transaction([&] { return ledger::add_person(context.ledger, chosen, *reason, by); });
    return json{{"person", person_view(*ledger::find_person(context.ledger, person_id))}};
}

Answer change_link(AdminContext& context, const Call& call) {
    const auto person_id = person_in(call);
    if (!person_id) return std::unexpected(person_id.error());
    const auto change = link_in(call, *person_id);
    if (!change) return std::unexpected(change.error());
    return order(context, *change, call);
}

Answer change_role(AdminContext& context, const Call& call) {
    const auto person_id = person_in(call);
    if (!person_id) return std::unexpected(person_id.error());
    const auto name = call.body.value("role", json(""));
    const auto role = ledger::parse_role(name.is_string() ? name.get<std::string>() : std::string());
    if (!role) {
        return fail(ErrorCode::invalid_input,
                    "'role' is not one of viewer, auditor, finance, operator, releaser and "
                    "admin");
    }
    return order(context, {*person_id, call.path[2] == "grant" ? ChangeKind::grant : ChangeKind::revoke, *role}, call);
}

Answer change_lock(AdminContext& context, const Call& call) {
    const auto person_id = person_in(call);
    if (!person_id) return std::unexpected(person_id.error());
    return order(context, {*person_id, call.path[2] == "lock" ? ChangeKind::lock : ChangeKind::unlock}, call);
}

Answer confirm_person_change(AdminContext& context, const Call& call) {
    const auto reason = reason_of(call);
    if (!reason) return std::unexpected(reason.error());
    const auto change = change_in(context, call);
    if (!change) return std::unexpected(change.error());
    if (auto allowed = may_confirm(context, *change, call); !allowed) return std::unexpected(allowed.error());
    const auto by = stamp(context, call);
    const auto done =
        context.ledger.transaction([&] { return ledger::confirm_change(context.ledger, *change, *reason, by); });
    if (!done) return std::unexpected(done.error());
    return json{{"confirmed", change->change_id},
                {"person", name_of(context, change->what.person_id)},
                {"change", describe(change->what)}};
}

Answer reject_person_change(AdminContext& context, const Call& call) {
    const auto reason = reason_of(call);
    if (!reason) return std::unexpected(reason.error());
    const auto change = change_in(context, call);
    if (!change) return std::unexpected(change.error());
    const auto by = stamp(context, call);
    context.ledger.transaction([&] { ledger::reject_change(context.ledger, *change, *reason, by); });
    return json{{"rejected", change->change_id},
                {"person", name_of(context, change->what.person_id)},
                {"change", describe(change->what)}};
}

}  // namespace drawbridge::admin
