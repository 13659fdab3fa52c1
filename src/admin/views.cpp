#include "views.hpp"

#include <algorithm>
#include <set>

#include "drawbridge/config/controls.hpp"
#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/domain/draw.hpp"
#include "drawbridge/domain/exception_catalog.hpp"
#include "drawbridge/ledger/facts/deliveries.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::admin {
namespace {

json field_view(const FieldValue& value) {
    if (std::holds_alternative<std::monostate>(value)) return nullptr;
    if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
    return display(value);
}

// What a person may do now. The act itself asks everything else: roles, hands, the state of what it is about.
std::vector<std::string> acts_of(const ExceptionKind* kind, const ledger::ExceptionRow& row) {
    std::vector<std::string> acts;
    if (kind == nullptr) return acts;
    const bool by_person = row.closed_at && row.closed_by != pipeline::daemon_actor;
    for (const ExceptionAct act : all_exception_acts) {
        const bool is_undo = act == ExceptionAct::undo;
        if (kind->acts.has(act) && (row.closed_at ? by_person && is_undo : !is_undo)) acts.emplace_back(to_string(act));
    }
    return acts;
}

records::Maker maker_record(const ledger::Maker& maker) {
    return {.uid = maker.uid, .by = maker.by, .hand = ledger::describe(maker), .draws = maker.draws};
}

}  // namespace

std::optional<std::string> if_any(std::string_view text) {
    return text.empty() ? std::nullopt : std::optional<std::string>(text);
}

std::optional<std::string> payment_name(std::optional<std::int64_t> payment_id) {
    return payment_id ? std::optional(disbursement::format_payment_id(*payment_id)) : std::nullopt;
}

const std::string& PeopleNames::of(const std::string& actor) {
    const auto [known, is_new] = known_.try_emplace(actor);
    if (is_new) known->second = ledger::actor_named(ledger_, actor);
    return known->second;
}

void name_people(ledger::Ledger& ledger, json& answer) {
    PeopleNames names(ledger);
    const auto name = [&](json& by) {
        if (by.is_string()) by = names.of(by.get_ref<const std::string&>());
    };
    const auto walk = [&](const auto& self, json& value) -> void {
        if (!value.is_structured()) return;
        for (auto& [key, member] : value.items()) {
            const bool is_by = value.is_object() && (key == "by" || key.ends_with("_by"));
            if (is_by && member.is_array()) {
                std::ranges::for_each(member, name);
            } else if (is_by && member.is_string()) {
                name(member);
            } else {
                self(self, member);
            }
        }
    };
    walk(walk, answer);
}

json fields_view(const Draw& draw) {
    json fields = json::object();
    for (const DrawField& field : draw_fields())
        fields[std::string(field.name)] = field_view(field.get(draw));
    return fields;
}

records::Exception record_of(ledger::Ledger& ledger, const ledger::ExceptionRow& row) {
    const auto* const kind = find_exception_kind(row.what.reason_code, row.what.step);
    records::Exception record{.id = row.exception_id,
                              .opened_at = row.opened_at,
                              .step = row.what.step,
                              .reason_code = row.what.reason_code,
                              .draw_id = row.what.draw_id,
                              .payment_id = payment_name(row.what.payment_id),
                              .amount = ledger::amount_of_exception(ledger, row),
                              .subject = if_any(row.what.subject),
                              .detail = row.what.detail,
                              .acts = acts_of(kind, row),
                              .closed_at = row.closed_at,
                              .closed_by = if_any(row.closed_by),
                              .closed_reason = if_any(row.closed_reason)};
    if (kind != nullptr) {
        record.title = kind->title;
        record.what_to_do = kind->what_to_do;
        record.resolve_lifts = kind->resolve_effect == ResolveEffect::lifts;
    }
    return record;
}

records::File record_of(const ledger::FileRow& row) {
    records::File file{.name = row.name,
                       .kind = row.kind,
                       .rail = row.rail,
                       .state = row.state,
                       .started_by = row.started_by,
                       .created_at = row.created_at,
                       .payments = row.payment_count,
                       .prenotes = row.prenote_count,
                       .total = row.total,
                       .sha256 = if_any(row.sha256),
                       .staged_at = row.staged_at,
                       .release_ordered_at = row.release_ordered_at,
                       .release_ordered_by = if_any(row.release_ordered_by),
                       .released_at = row.released_at,
                       .voided_at = row.voided_at,
                       .voided_by = if_any(row.voided_by)};
    if (row.rail == disbursement::Rail::ach) file.entry_hash = row.entry_hash;
    if (row.order) {
        file.release_waits_for = if_any(row.order->waits_for);
        file.release_waits_since = row.order->waits_since;
    }
    return file;
}

json view(const ledger::FileRow& row) {
    return to_json(record_of(row));
}

records::File with_makers(ledger::Ledger& ledger, const ledger::FileRow& row) {
    auto file = record_of(row);
    if (row.release_ordered_at) file.release_ordered_by = if_any(ledger::releaser_named(ledger, row.file_id));
    auto& makers = file.makers.emplace();
    for (const auto& maker : ledger::makers_of(ledger, row.file_id))
        makers.push_back(maker_record(maker));
    return file;
}

records::Run record_of(const ledger::LastRuns& runs) {
    return {.step = std::string(to_string(runs.last.step)),
            .started_at = runs.last.started_at,
            .ended_at = runs.last.ended_at,
            .ok = runs.last.ok,
            .summary = runs.last.summary,
            .last_ok = runs.last_ok};
}

records::PayRun record_of(const ledger::PayRun& run) {
    return {.at = run.at,
            .by = run.by,
            .approved = run.approved,
            .exported = run.exported,
            .held = run.held,
            .exceptions = run.exceptions,
            .unread = run.unread,
            .moved_on = run.moved_on,
            .complete = run.is_complete()};
}

records::Invariant record_of(const ledger::InvariantResult& result) {
    return {.number = result.number,
            .title = result.title,
            .checked = result.checked,
            .ok = result.violations.empty(),
            .violations = result.violations};
}

std::vector<reconciliation::ConfiguredControl> configured_controls(const AdminContext& context) {
    std::vector<reconciliation::ConfiguredControl> all;
    for (auto& control : config::controls(context.shared.config))
        all.push_back({std::move(control.key), control.is_on, std::move(control.state)});
    std::set<std::string> servers;
    for (const auto* target : {&context.shared.settings.ach_delivery, &context.shared.settings.check_delivery}) {
        if (target->sftp) servers.insert(delivery::address(*target->sftp));
    }
    for (const auto& server : servers) {
        if (auto denied = ledger::listing_denied(context.ledger, server); !denied.empty())
            all.push_back({"delivery.listing", false,
                           std::move(denied) + ": files of a newer ledger would not be noticed there"});
    }
    return all;
}

}  // namespace drawbridge::admin
