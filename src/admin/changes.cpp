#include "changes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "drawbridge/disbursement/payee_changes.hpp"
#include "drawbridge/domain/digest.hpp"
#include "drawbridge/ledger/facts/changes.hpp"
#include "page.hpp"

namespace drawbridge::admin {
namespace {

using ledger::ControlledFile;
using ledger::Proposal;

std::string named(const Proposal& proposal) {
    return fmt::format("{} {}", to_string(proposal.kind), proposal.sha256);
}

// Whether this acceptance still counts. It does not if the person was locked, or lost the role or the uid since, even
// if somebody gave it back.
bool counts(AdminContext& context, const ledger::Acceptance& acceptance) {
    return !ledger::roles_are_set_up(context.ledger) ||
           (ledger::acts_for_a_person(context.ledger, acceptance.uid, acceptance.at, accepters_of_changes) &&
            !ledger::was_stopped_since(context.ledger, acceptance.uid, acceptance.at, accepters_of_changes));
}

records::Change change_of(AdminContext& context, const Proposal& proposal) {
    records::Change change{
        .kind = std::string(to_string(proposal.kind)),
        .sha256 = proposal.sha256,
        .state = std::string(proposal.outcome ? to_string(*proposal.outcome) : "waiting"),
        .in_force = ledger::is_in_force(context.ledger, proposal),
        .proposed_at = proposal.proposed_at,
        .file_uid = proposal.file_uid,
        .file_by = proposal.file_uid ? std::optional(fmt::format("uid {}", *proposal.file_uid)) : std::nullopt,
        .closed_at = proposal.closed_at,
        .closed_by = if_any(proposal.closed_by),
        .closed_reason = if_any(proposal.closed_reason)};
    for (const auto& acceptance : proposal.acceptances) {
        change.accepted.push_back({.at = acceptance.at,
                                   .by = acceptance.by,
                                   .reason = acceptance.reason,
                                   .counts = proposal.outcome || counts(context, acceptance)});
    }
    return change;
}

// The proposal with this hash. If the same bytes were proposed several times, the newest. Fewer digits will do while no
// other proposal, however old, begins with them: somebody may have made two files whose hashes begin alike.
Result<Proposal> find(AdminContext& context, const std::string& digits) {
    const auto good = check_hash_prefix(digits, "the hash of a change", "a hash in `drawbridge changes`");
    if (!good) return std::unexpected(good.error());
    auto found = ledger::proposals_that_begin(context.ledger, digits);
    if (found.empty())
        return fail(ErrorCode::not_found, fmt::format("no change {}: `drawbridge changes` lists the changes", digits));
    if (std::ranges::any_of(found, [&](const Proposal& other) { return other.sha256 != found.front().sha256; })) {
        return fail(ErrorCode::conflict,
                    fmt::format("several changes begin with {}: give all {} digits of the hash", digits, hash_digits));
    }
    return std::move(found.front());
}

// A waiting proposal of a file under change control.
Result<Proposal> find_waiting(AdminContext& context, const Call& call) {
    auto proposal = find(context, call.path[1]);
    if (!proposal) return proposal;
    if (proposal->outcome) {
        return fail(ErrorCode::not_found,
                    fmt::format("change {} does not wait, it is {}: `drawbridge changes` lists the waiting ones",
                                proposal->sha256, to_string(*proposal->outcome)));
    }
    const auto& control = context.shared.config.change_control;
    const auto of_kind = proposal->kind == ControlledFile::rules ? control.rules : control.payees;
    if (of_kind == config::Control::second_person) return proposal;
    return fail(ErrorCode::conflict, fmt::format("{}: change_control.{} is off, the file itself is in force",
                                                 named(*proposal), to_string(proposal->kind)));
}

Result<disbursement::PayeeDirectory> read_payees(const std::string& bytes, const std::string& name) {
    auto payees = disbursement::PayeeDirectory::read(bytes, name);
    if (!payees) return fail(ErrorCode::invalid_input, text::to_string(payees.error()));
    return std::move(*payees);
}

// The bytes must be valid for this program: an older one may have validated the proposal.
Result<void> check_readable(AdminContext& context, const Proposal& proposal) {
    const auto bytes = ledger::bytes_of(context.ledger, proposal);
    if (proposal.kind == ControlledFile::payees) {
        const auto payees = read_payees(bytes, named(proposal));
        return payees ? Result<void>() : std::unexpected(payees.error());
    }
    const auto rules = rules::parse_rules(bytes, named(proposal));
    if (!rules) return fail(ErrorCode::invalid_input, text::to_string(rules.error()));
    return {};
}

Result<json> payee_changes(const std::string& before, const std::string& now) {
    const auto old = read_payees(before, "payees in force");
    if (!old) return std::unexpected(old.error());
    const auto fresh = read_payees(now, "changed payees");
    if (!fresh) return std::unexpected(fresh.error());
    json list = json::array();
    for (const auto& change : disbursement::changes_between(*old, *fresh)) {
        list.push_back({{"key", change.key}, {"what", to_string(change.kind)}, {"fields", to_json(change.fields)}});
    }
    return list;
}

// The acceptance that counts already. Another one puts the change in force.
const ledger::Acceptance* accepted_before(AdminContext& context, const Proposal& proposal) {
    const auto found = std::ranges::find_if(
        proposal.acceptances, [&](const ledger::Acceptance& earlier) { return counts(context, earlier); });
    return found == proposal.acceptances.end() ? nullptr : &*found;
}

json effect_of_acceptance(const Proposal& proposal, bool takes_effect) {
    return {{"kind", to_string(proposal.kind)}, {"in_force", takes_effect}};
}

}  // namespace

Result<json> expected_of_change(AdminContext& context, const Call& call) {
    const auto proposal = find_waiting(context, call);
    if (!proposal) return std::unexpected(proposal.error());
    // Nobody signs that it takes effect because of an acceptance of their own.
    if (call.path.back() == "accept" && call.uid) {
        if (auto first = ledger::check_not_accepted(context.ledger, *proposal, stamp(context, call)); !first)
            return std::unexpected(first.error());
    }
    return effect_of_acceptance(*proposal, accepted_before(context, *proposal) != nullptr);
}

Answer changes_view(AdminContext& context, const Call& call) {
    const auto given = call.query.find("limit");
    const auto limit = read_limit(given == call.query.end() ? "100" : given->second, "limit");
    if (!limit) return std::unexpected(limit.error());
    json list = json::array();
    for (const auto& proposal : ledger::proposals(context.ledger, static_cast<int>(*limit)))
        list.push_back(to_json(change_of(context, proposal)));
    return json{{"control", to_json(change_control(context))}, {"changes", list}};
}

Answer show_change(AdminContext& context, const Call& call) {
    const auto proposal = find(context, call.path[1]);
    if (!proposal) return std::unexpected(proposal.error());
    const bool by_caller = call.uid && !ledger::check_not_accepted(context.ledger, *proposal, stamp(context, call));
    json answer = {{"change", to_json(change_of(context, *proposal))}, {"accepted_by_you", by_caller}};
    auto now = ledger::bytes_of(context.ledger, *proposal);
    auto before = ledger::bytes_in_force(context.ledger, proposal->kind);
    if (proposal->kind == ControlledFile::rules) {
        answer["rules"] = {{"in_force", std::move(before)}, {"changed", std::move(now)}};
        return answer;
    }
    auto changes = payee_changes(before, now);
    if (!changes) return std::unexpected(changes.error());
    answer["payees"] = std::move(*changes);
    return answer;
}

Answer accept_change(AdminContext& context, const Call& call) {
    const auto reason = reason_of(call);
    if (!reason) return std::unexpected(reason.error());
    if (call.path[1].size() != hash_digits) {
        return fail(ErrorCode::invalid_input,
                    fmt::format("'{}' is not a whole hash: give all {} digits, as `drawbridge changes` shows them",
                                call.path[1].substr(0, hash_digits), hash_digits));
    }
    const auto proposal = find_waiting(context, call);
    if (!proposal) return std::unexpected(proposal.error());
    if (auto readable = check_readable(context, *proposal); !readable) return std::unexpected(readable.error());
    const auto* const first = accepted_before(context, *proposal);
    const bool takes_effect = first != nullptr;
    if (const auto signed_for = call.body.find("expect");
        signed_for != call.body.end() && *signed_for != effect_of_acceptance(*proposal, takes_effect)) {
        return fail(ErrorCode::conflict,
                    "somebody else accepted the change, or no longer counts, since this was signed: "
                    "look again");
    }
    const auto by = stamp(context, call);
    const auto done = context.ledger.transaction([&]() -> Result<void> {
        if (auto recorded = ledger::record_acceptance(context.ledger, *proposal, *reason, by); !recorded)
            return recorded;
        if (takes_effect)
            ledger::put_in_force(context.ledger, *proposal, fmt::format("{} [with {}]", *reason, first->by), by);
        return {};
    });
    if (!done) return std::unexpected(done.error());
    return json{{"accepted", proposal->sha256}, {"kind", to_string(proposal->kind)}, {"in_force", takes_effect}};
}

Answer reject_change(AdminContext& context, const Call& call) {
    const auto reason = reason_of(call);
    if (!reason) return std::unexpected(reason.error());
    const auto proposal = find_waiting(context, call);
    if (!proposal) return std::unexpected(proposal.error());
    const auto by = stamp(context, call);
    context.ledger.transaction([&] { ledger::reject_proposal(context.ledger, *proposal, *reason, by); });
    return json{{"rejected", proposal->sha256}, {"kind", to_string(proposal->kind)}};
}

records::ChangeControl change_control(AdminContext& context) {
    records::ChangeControl control{.rules = std::string(to_string(context.shared.config.change_control.rules)),
                                   .payees = std::string(to_string(context.shared.config.change_control.payees))};
    for (const auto& proposal : ledger::open_proposals(context.ledger))
        control.waiting.push_back(change_of(context, proposal));
    return control;
}

}  // namespace drawbridge::admin
