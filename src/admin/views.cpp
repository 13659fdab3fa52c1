#include "views.hpp"

#include "drawbridge/domain/draw.hpp"
#include "drawbridge/domain/exception_catalog.hpp"
#include "drawbridge/ledger/lists.hpp"
#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::admin {
namespace {

json field_view(const FieldValue& value) {
    if (std::holds_alternative<std::monostate>(value)) return nullptr;
    if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
    return display(value);
}

// What a person may do now. The act itself asks everything else: roles, hands, the state of what it is about.
json acts_of(const ExceptionKind* kind, const ledger::ExceptionRow& row) {
    json acts = json::array();
    if (kind == nullptr) return acts;
    const bool by_person = row.closed_at && row.closed_by != pipeline::daemon_actor;
    for (const ExceptionAct act : all_exception_acts) {
        const bool is_undo = act == ExceptionAct::undo;
        if (kind->acts.has(act) && (row.closed_at ? by_person && is_undo : !is_undo)) acts.push_back(to_string(act));
    }
    return acts;
}

}  // namespace

json text_or_null(const std::string& text) {
    return text.empty() ? json(nullptr) : json(text);
}

json view(const std::optional<Instant>& instant) {
    return instant ? json(format_instant(*instant)) : json(nullptr);
}

json view(const std::optional<Money>& amount) {
    return amount ? json(amount->to_string()) : json(nullptr);
}

json view(const ledger::DrawRow& row) {
    return {{"id", row.draw_id},
            {"state", row.state},
            {"status", static_cast<int>(row.status)},
            {"status_name", to_string(row.status)},
            {"amount", view(row.amount)},
            {"workflow_id", row.workflow_id},
            {"case_name", row.case_name ? json(*row.case_name) : json(nullptr)},
            {"description", row.description ? json(*row.description) : json(nullptr)},
            {"since", format_instant(row.since)},
            {"why", text_or_null(row.why)}};
}

json view(const Draw& draw) {
    json fields = json::object();
    for (const DrawField& field : draw_fields())
        fields[std::string(field.name)] = field_view(field.get(draw));
    return fields;
}

json view(const ledger::TimelineEntry& entry) {
    return {{"at", format_instant(entry.at)},
            {"what", entry.what},
            {"by", text_or_null(entry.by)},
            {"detail", entry.detail},
            {"payment_id", text_or_null(entry.payment_id)},
            {"file", text_or_null(entry.file)},
            {"exception_id", entry.exception_id ? json(*entry.exception_id) : json(nullptr)}};
}

json view(ledger::Ledger& ledger, const ledger::ExceptionRow& row) {
    const auto* const kind = find_exception_kind(row.what.reason_code, row.what.step);
    return {{"id", row.exception_id},
            {"opened_at", format_instant(row.opened_at)},
            {"step", row.what.step},
            {"reason_code", row.what.reason_code},
            {"title", kind != nullptr ? json(kind->title) : json(nullptr)},
            {"draw_id", row.what.draw_id ? json(*row.what.draw_id) : json(nullptr)},
            {"payment_id", row.what.payment_id ? json(*row.what.payment_id) : json(nullptr)},
            {"amount", view(ledger::amount_of_exception(ledger, row))},
            {"subject", text_or_null(row.what.subject)},
            {"detail", row.what.detail},
            {"what_to_do", kind != nullptr ? json(kind->what_to_do) : json(nullptr)},
            {"acts", acts_of(kind, row)},
            {"resolve_lifts", kind != nullptr && kind->resolve_effect == ResolveEffect::lifts},
            {"closed_at", view(row.closed_at)},
            {"closed_by", text_or_null(row.closed_by)},
            {"closed_reason", text_or_null(row.closed_reason)}};
}

json view(const ledger::FileRow& row) {
    return {{"name", row.name},
            {"kind", row.kind == disbursement::FileKind::payments ? "payments" : "check_orders"},
            {"rail", disbursement::to_string(row.rail)},
            {"state", ledger::to_string(row.state)},
            {"started_by", row.started_by},
            {"created_at", format_instant(row.created_at)},
            {"payments", row.payment_count},
            {"prenotes", row.prenote_count},
            {"total", row.total.to_string()},
            {"entry_hash", row.rail == disbursement::Rail::ach ? json(row.entry_hash) : json(nullptr)},
            {"sha256", text_or_null(row.sha256)},
            {"staged_at", view(row.staged_at)},
            {"release_ordered_at", view(row.release_ordered_at)},
            {"release_ordered_by", text_or_null(row.release_ordered_by)},
            {"release_waits_for", text_or_null(row.order ? row.order->waits_for : "")},
            {"release_waits_since", view(row.order ? row.order->waits_since : std::nullopt)},
            {"released_at", view(row.released_at)},
            {"voided_at", view(row.voided_at)},
            {"voided_by", text_or_null(row.voided_by)}};
}

json view(const ledger::Maker& maker) {
    return {{"uid", maker.uid ? json(*maker.uid) : json(nullptr)},
            {"by", maker.by},
            {"hand", ledger::describe(maker)},
            {"draws", maker.draws}};
}

json with_makers(ledger::Ledger& ledger, const ledger::FileRow& row) {
    json file = view(row);
    file["makers"] = json::array();
    for (const auto& maker : ledger::makers_of(ledger, row.file_id))
        file["makers"].push_back(view(maker));
    return file;
}

json view(const ledger::CountAndCents& part) {
    return {{"count", part.count}, {"amount", part.amount.to_string()}};
}

json view(const ledger::PayRun& run) {
    return {{"at", format_instant(run.at)},   {"by", run.by},
            {"approved", view(run.approved)}, {"exported", view(run.exported)},
            {"held", view(run.held)},         {"exceptions", view(run.exceptions)},
            {"unread", run.unread},           {"moved_on", run.moved_on},
            {"complete", run.is_complete()}};
}

json view(const ledger::LastRuns& runs) {
    return {{"step", to_string(runs.last.step)},
            {"started_at", format_instant(runs.last.started_at)},
            {"ended_at", format_instant(runs.last.ended_at)},
            {"ok", runs.last.ok},
            {"summary", runs.last.summary},
            {"last_ok", view(runs.last_ok)}};
}

json view(const ledger::InvariantResult& result) {
    return {{"number", result.number},
            {"title", result.title},
            {"checked", result.checked},
            {"ok", result.violations.empty()},
            {"violations", result.violations}};
}

json view(const ledger::StateTotal& total) {
    return {{"state", total.state},
            {"count", total.count},
            {"amount", total.amount.to_string()},
            {"without_amount", total.without_amount},
            {"oldest", view(total.oldest)}};
}

}  // namespace drawbridge::admin
