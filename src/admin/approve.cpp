#include "approve.hpp"

#include <algorithm>
#include <set>

#include "drawbridge/domain/digest.hpp"
#include "drawbridge/ledger/facts/decisions.hpp"
#include "drawbridge/ledger/facts/draws.hpp"
#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/ledger/facts/people.hpp"
#include "drawbridge/ledger/reports/draw_states.hpp"

namespace drawbridge::admin {
namespace {

constexpr std::size_t max_draws = 500;  // per bulk call

Result<std::vector<DrawId>> ids_of(const json& body) {
    const auto found = body.find("ids");
    if (found == body.end() || !found->is_array() || found->empty()) {
        return fail(ErrorCode::invalid_input, "no draw is named: give at least one id");
    }
    std::vector<DrawId> ids;
    for (const auto& id : *found) {
        if (!id.is_number_integer() || id.get<std::int64_t>() < 1) {
            return fail(ErrorCode::invalid_input, id.dump() + " is not the id of a draw");
        }
        ids.push_back(id.get<std::int64_t>());
    }
    std::ranges::sort(ids);
    if (const auto twice = std::ranges::adjacent_find(ids); twice != ids.end()) {
        return fail(ErrorCode::invalid_input, "draw " + std::to_string(*twice) + " is named twice");
    }
    if (ids.size() > max_draws) {
        return fail(ErrorCode::invalid_input, std::to_string(ids.size()) + " draws are too many: name at most " +
                                                  std::to_string(max_draws) + " at a time");
    }
    return ids;
}

// The approver id in the request. nullopt: none.
Result<std::optional<std::int64_t>> named_approver(const json& body) {
    const auto found = body.find("approver_id");
    if (found == body.end() || found->is_null()) return std::optional<std::int64_t>();
    if (found->is_number_integer() && found->get<std::int64_t>() >= 1) return std::optional(found->get<std::int64_t>());
    return fail(ErrorCode::invalid_input, "the approver's id is not a whole number above zero");
}

// Refuses another person's approver id.
Result<void> check_own(AdminContext& context, const Call& call, std::int64_t approver_id) {
    const auto text = std::to_string(approver_id);
    const auto holder = ledger::person_at_portal(context.ledger, ledger::Identity::approver_id, text);
    if (holder && holder == call.standing.person) return {};
    if (holder) {
        return fail(ErrorCode::forbidden, "approver id " + text + " belongs to person " + std::to_string(*holder) +
                                              ": use your own approver id, or let that person approve");
    }
    if (!call.standing.set_up) return {};
    return fail(ErrorCode::forbidden,
                "approver id " + text + " is not linked to you: ask an admin to link it with `drawbridge people link " +
                    std::to_string(call.standing.person.value_or(0)) + " --approver-id " + text + " --reason …`");
}

// Once people are set up: the caller's only approver id.
Result<std::int64_t> own_approver(AdminContext& context, const Call& call) {
    const auto person =
        call.standing.person ? ledger::find_person(context.ledger, *call.standing.person) : std::nullopt;
    const auto count = person ? person->approver_ids.size() : 0;
    if (count == 1) return whole_number(person->approver_ids.front(), "the approver's id", 1, INT64_MAX);
    return fail(
        ErrorCode::invalid_input,
        count == 0
            ? "you have no approver id in the Draws Service: ask an admin to link yours with `drawbridge people link " +
                  std::to_string(call.standing.person.value_or(0)) + " --approver-id N --reason …`"
            : "you have " + std::to_string(count) + " approver ids: choose one with --approver-id");
}

Result<std::int64_t> approver_of(AdminContext& context, const Call& call) {
    const auto named = named_approver(call.body);
    if (!named) return std::unexpected(named.error());
    if (!*named && call.standing.set_up) return own_approver(context, call);
    const auto approver_id = *named ? *named : context.shared.rules.approver_id;
    if (!approver_id) {
        return fail(ErrorCode::invalid_input,
                    "no approver is named, and the rule file has no approver_id: give --approver-id");
    }
    if (auto own = check_own(context, call, *approver_id); !own) return std::unexpected(own.error());
    return *approver_id;
}

// Why a person cannot approve the draw now. Empty: a person can.
std::string objection(const std::optional<ledger::DrawRow>& row) {
    if (!row) return "is not in the ledger: no poll has read it";
    if (row->status != DrawStatus::pending_approval) return "is " + to_string(row->status) + ", not Pending Approval";
    if (row->state != "held" && row->state != "pending") return "is '" + row->state + "': it is already in progress";
    return {};
}

ledger::DecisionRecord to_record(AdminContext& context, DrawId id, std::int64_t approver_id, const std::string& reason,
                                 const ledger::Stamp& stamp) {
    ledger::DecisionRecord record;
    record.draw_id = id;
    record.reading_id = ledger::newest_reading(context.ledger, id)->reading_id;
    record.approve = true;
    record.rule_set_sha256 = context.shared.rules.sha256;
    record.rule = "approved by " + stamp.actor;
    record.reason = reason;
    record.approver_id = approver_id;
    record.notes = reason;  // no longer than max_reason_bytes
    record.explanation_json =
        json{{"outcome", "approve"}, {"decided_by", stamp.actor}, {"reason", reason}, {"rules", json::array()}}.dump(
            -1, ' ', false, json::error_handler_t::replace);
    record.decided_by = stamp.actor;
    return record;
}

// They are what the person looked at: a draw may have changed since.
Result<void> check_seen(const Approval& approval, const json& body) {
    const auto seen = body.find("expect");
    if (seen == body.end()) return {};
    const json now = approval.expected();
    const bool is_same = seen->is_object() && std::ranges::all_of(seen->items(), [&](const auto& one) {
                             return now.contains(one.key()) && now[one.key()] == one.value();
                         });
    if (is_same) return {};
    return fail(ErrorCode::conflict, "nothing is approved: now it is " + now.dump() + ", and what was looked at is " +
                                         seen->dump() + ": look at the draws again");
}

// As it would be paid.
json shown(const records::Draw& draw) {
    return {{"id", draw.id},
            {"amount", draw.amount.value_or(Money()).to_string()},
            {"payee", draw.payee ? json(*draw.payee) : json()}};
}

}  // namespace

json Approval::expected() const {
    return {{"draws", ids.size()}, {"total", total.to_string()}, {"seen", seen}};
}

records::Draw record_of(const AdminContext& context, const ledger::DrawRow& row, const Draw* known) {
    records::Draw record{.id = row.draw_id,
                         .state = row.state,
                         .status = static_cast<int>(row.status),
                         .status_name = to_string(row.status),
                         .amount = row.amount,
                         .payee = {},
                         .workflow_id = row.workflow_id,
                         .case_name = row.case_name,
                         .description = row.description,
                         .since = row.since,
                         .why = if_any(row.why),
                         .seen = {},
                         .fields = {}};
    if (known != nullptr) {
        const auto payee = context.shared.settings.payee_key->get(*known);
        if (const auto* key = std::get_if<std::string>(&payee)) record.payee = *key;
    }
    constexpr std::size_t digits = 32;
    record.seen = sha256_hex(shown(record).dump()).substr(0, digits);
    return record;
}

Result<Approval> check_approval(AdminContext& context, const Call& call, const std::string& reason) {
    Approval approval;
    auto ids = ids_of(call.body);
    if (!ids) return std::unexpected(ids.error());
    approval.ids = std::move(*ids);
    const auto approver_id = approver_of(context, call);
    if (!approver_id) return std::unexpected(approver_id.error());
    approval.approver_id = *approver_id;
    if (context.shared.rules.sha256.empty()) {
        return fail(ErrorCode::conflict, "no rules are in force: `drawbridge check` lists the mistakes");
    }
    if (reason.find_first_of("\r\n\t") != std::string::npos)
        return fail(ErrorCode::invalid_input, "the reason is written to the service's audit log: write one line");
    std::string against;
    for (const DrawId id : approval.ids) {
        const auto row = ledger::find_draw(context.ledger, id);
        if (const auto why = objection(row); !why.empty())
            against += (against.empty() ? "" : "; ") + ("draw " + std::to_string(id) + " " + why);
        if (!row) continue;
        const auto known = ledger::newest_reading(context.ledger, id);
        const auto record = record_of(context, *row, known ? &known->draw : nullptr);
        approval.total += row->amount.value_or(Money());
        approval.draws.push_back(shown(record));
        approval.seen.push_back(record.seen);
    }
    if (!against.empty()) return fail(ErrorCode::conflict, "nothing is approved: " + against);
    if (auto seen = check_seen(approval, call.body); !seen) return std::unexpected(seen.error());
    if (auto left = ledger::check_leaves_releaser(context.ledger, approval.ids, stamp(context, call)); !left)
        return std::unexpected(left.error());
    return approval;
}

Result<json> approve_draws(AdminContext& context, const Call& call, const std::string& reason) {
    const auto stamp = admin::stamp(context, call);
    const auto approval = check_approval(context, call, reason);
    if (!approval) return std::unexpected(approval.error());
    const auto& [ids, approver_id, total, draws, seen] = *approval;
    if (flag_in(call.body, "preview"))
        return json{{"draws", draws}, {"total", total.to_string()}, {"expect", approval->expected()}};
    context.ledger.transaction([&] {
        ledger::remember_rule_set(context.ledger, context.shared.rules.sha256, context.shared.rules.text, stamp.at);
        for (const DrawId id : ids)
            ledger::record_decision(context.ledger, to_record(context, id, approver_id, reason, stamp), stamp);
    });
    return json{
        {"approved", ids}, {"amount", total.to_string()}, {"approver_id", approver_id}, {"decided_by", stamp.actor}};
}

}  // namespace drawbridge::admin
