#include <fmt/format.h>

#include <algorithm>

#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/domain/assert.hpp"
#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/ledger/reports/draw_states.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

using Entries = std::vector<TimelineEntry>;

// Of words that the schema allows.
TimelineEvent event_of(std::string_view prefix, std::string_view outcome) {
    const auto event = parse_timeline_event(fmt::format("{}_{}", prefix, outcome));
    DRAWBRIDGE_ASSERT(event.has_value(), "every outcome that the schema allows is an event");
    return *event;
}

TimelineEvent line_event(std::string_view outcome, std::string_view kind) {
    return event_of("line", outcome == "applied" ? kind : outcome);
}

std::string amount_words(std::string_view name, const std::optional<Money>& amount) {
    return amount ? fmt::format(", {} {}", name, amount->to_display()) : "";
}

// What is optional at the end of a line.
std::string after_colon(const std::string& detail) {
    return detail.empty() ? "" : ": " + detail;
}

void add_readings(Ledger& ledger, DrawId id, Entries& entries) {
    Query query(ledger,
                R"sql(
        SELECT read_at, source, status, amount_requested_cents, amount_approved_cents, modified_by, modified_date,
            disbursed_date
        FROM draw_reading
        WHERE draw_id = ?
        ORDER BY reading_id)sql",
                id);
    while (query.next()) {
        const auto [at, source, status, requested, approved, modified_by, modified_at, disbursed_at] =
            query.row<Instant, std::string, DrawStatus, std::optional<Money>, std::optional<Money>, std::string,
                      Instant, std::optional<Instant>>();
        std::string detail =
            fmt::format("{}{}{}, modified by {} at {}", to_string(status), amount_words("requested", requested),
                        amount_words("approved", approved), modified_by, format_instant(modified_at));
        if (disbursed_at) detail += ", disbursed " + format_instant(*disbursed_at);
        entries.push_back({at, "reading", TimelineEvent::draw_read, fmt::format("{} (read by {})", detail, source)});
    }
}

void add_decisions(Ledger& ledger, DrawId id, Entries& entries) {
    Query query(ledger,
                R"sql(
        SELECT decided_at, outcome, coalesce(rule, ''), reason, rule_set_sha256, decided_by
        FROM decision
        WHERE draw_id = ?
        ORDER BY decision_id)sql",
                id);
    while (query.next()) {
        const auto [at, outcome, rule, reason, rule_set, person] =
            query.row<Instant, std::string, std::string, std::string, std::string, std::optional<std::string>>();
        const std::string by = person         ? fmt::format(" by {} instead of a rule", *person)
                               : rule.empty() ? ""
                                              : fmt::format(" by rule '{}'", rule);
        entries.push_back({at, "decision", event_of("decided", outcome),
                           fmt::format("{}{}: {} (rule set {})", outcome, by, reason, rule_set.substr(0, 12))});
        entries.back().by = person;
    }
}

void add_approvals(Ledger& ledger, DrawId id, Entries& entries) {
    Query query(ledger,
                R"sql(
        SELECT b.created_at, i.batch_id, i.outcome, i.outcome_at, i.learned_by, i.detail
        FROM approval_item i
        JOIN approval_batch b ON b.batch_id = i.batch_id
        WHERE i.draw_id = ?
        ORDER BY i.item_id)sql",
                id);
    while (query.next()) {
        const auto [submitted_at, batch, outcome, outcome_at, learned_by, detail] =
            query.row<Instant, std::int64_t, std::optional<std::string>, Instant, std::string, std::string>();
        entries.push_back(
            {submitted_at, "approval", TimelineEvent::approval_submitted, fmt::format("submitted in batch {}", batch)});
        if (!outcome) continue;
        entries.push_back({outcome_at, "approval", event_of("approval", *outcome),
                           fmt::format("batch {}: {} ({}){}", batch, *outcome, learned_by, after_colon(detail))});
    }
}

void add_payments(Ledger& ledger, DrawId id, Entries& entries) {
    Query query(ledger,
                R"sql(
        SELECT f.created_at, p.payment_id, p.amount_cents, p.rail, p.trace_number, p.check_number, p.payee_key,
            p.payee_name, f.name, p.effective_entry_date, f.staged_at, f.released_at, f.release_ordered_by,
            b.text, f.voided_at, f.voided_by, f.void_reason
        FROM payment p
        JOIN payment_file f ON f.file_id = p.file_id
        LEFT JOIN settles_because b ON b.because_id = p.settles_because
        WHERE p.draw_id = ?
        ORDER BY p.payment_id)sql",
                id);
    while (query.next()) {
        const auto [made_at, payment_id, amount, rail, trace_number, check_number, payee_key, payee_name, file,
                    effective, staged_at, released_at, released_by, settles_because, voided_at, voided_by,
                    void_reason] =
            query.row<Instant, std::int64_t, Money, std::string, std::optional<std::string>,
                      std::optional<std::int64_t>, std::string, std::string, std::string, std::optional<std::string>,
                      std::optional<Instant>, std::optional<Instant>, std::string, std::optional<std::string>,
                      std::optional<Instant>, std::string, std::string>();
        const std::string name = disbursement::format_payment_id(payment_id);
        std::string detail = fmt::format("{}: {} to {} ({}) by {}", name, amount.to_display(), payee_name, payee_key,
                                         rail == "ach" ? "ACH" : rail);
        if (trace_number) detail += ", trace number " + *trace_number;
        if (check_number) detail += ", check number " + std::to_string(*check_number);
        if (effective) detail += ", effective " + *effective;
        if (settles_because) detail += fmt::format(" ({})", *settles_because);
        const auto first = entries.size();
        entries.push_back({made_at, "payment", TimelineEvent::payment_planned, fmt::format("{}, in {}", detail, file)});
        if (staged_at) entries.push_back({*staged_at, "payment", TimelineEvent::file_staged, file + " staged"});
        if (released_at) {
            entries.push_back({*released_at, "payment", TimelineEvent::file_released,
                               fmt::format("{} released by {}", file, released_by)});
            entries.back().by = released_by;
        }
        if (voided_at) {
            entries.push_back({*voided_at, "payment", TimelineEvent::file_voided,
                               fmt::format("{} voided by {} before it went out, together with {}: {}", file, voided_by,
                                           name, void_reason)});
            entries.back().by = voided_by;
        }
        for (auto at = first; at < entries.size(); ++at) {
            entries[at].payment_id = name;
            entries[at].file = file;
        }
    }
}

void add_evidence(Ledger& ledger, DrawId id, Entries& entries) {
    Query query(ledger,
                R"sql(
        SELECT v.at, f.name, v.kind <> 'sftp', v.by, v.detail
        FROM payment p
        JOIN payment_file f ON f.file_id = p.file_id
        JOIN delivery_evidence v ON v.file_id = f.file_id
        WHERE p.draw_id = ?
        ORDER BY v.evidence_id)sql",
                id);
    while (query.next()) {
        const auto [at, file, somebody_says, by, detail] =
            query.row<Instant, std::string, bool, std::string, std::string>();
        entries.push_back({at, "payment", somebody_says ? TimelineEvent::file_at_bank : TimelineEvent::file_delivered,
                           somebody_says ? fmt::format("{} is at the bank according to {}: {}", file, by, detail)
                                         : file + " delivered to the bank"});
        entries.back().by = by;
        entries.back().file = file;
    }
}

void add_check_orders(Ledger& ledger, DrawId id, Entries& entries) {
    Query query(ledger,
                R"sql(
        SELECT p.check_number, o.action, o.ordered_at, o.ordered_by, o.reason, o.withdrawn_at, o.withdrawn_by,
            o.withdrawn_reason, o.transmitted_at, coalesce((SELECT f.name FROM check_order_line l
            JOIN payment_file f ON f.file_id = l.file_id WHERE l.order_id = o.order_id AND f.voided_at IS NULL), '')
        FROM payment p
        JOIN check_order o ON o.payment_id = p.payment_id
        WHERE p.draw_id = ?
        ORDER BY o.order_id)sql",
                id);
    while (query.next()) {
        const auto [check_number, action, ordered_at, ordered_by, reason, withdrawn_at, withdrawn_by, withdrawn_reason,
                    transmitted_at, file] =
            query.row<std::int64_t, std::string, Instant, std::string, std::string, std::optional<Instant>, std::string,
                      std::string, std::optional<Instant>, std::string>();
        const std::string name = fmt::format("{} of check {}", action, check_number);
        entries.push_back({ordered_at, "payment", TimelineEvent::check_ordered,
                           fmt::format("{} ordered by {}: {}", name, ordered_by, reason)});
        entries.back().by = ordered_by;
        if (withdrawn_at) {
            entries.push_back({*withdrawn_at, "payment", TimelineEvent::check_order_withdrawn,
                               fmt::format("{} withdrawn by {}: {}", name, withdrawn_by, withdrawn_reason)});
            entries.back().by = withdrawn_by;
        }
        if (transmitted_at) {
            entries.push_back({*transmitted_at, "payment", TimelineEvent::check_order_transmitted,
                               fmt::format("{} sent to the bank in {}: the payment has ended", name, file)});
            entries.back().file = file;
        }
    }
}

void add_confirmations(Ledger& ledger, DrawId id, Entries& entries) {
    Query query(ledger,
                R"sql(
        SELECT f.recorded_at, f.name, l.line, l.kind, l.amount_cents, l.confirmed_on, l.outcome, l.detail,
            p.payment_id
        FROM payment p
        JOIN confirmation_line l ON l.payment_id = p.payment_id
        JOIN confirmation_file f ON f.confirmation_file_id = l.confirmation_file_id
        WHERE p.draw_id = ?
        ORDER BY l.line_id)sql",
                id);
    while (query.next()) {
        const auto [at, file, line, kind, amount, confirmed_on, outcome, detail, payment_id] =
            query.row<Instant, std::string, std::int64_t, std::string, Money, std::string, std::string, std::string,
                      std::int64_t>();
        entries.push_back({at, "confirmation", line_event(outcome, kind),
                           fmt::format("{} line {}: {} {} on {}: {}{}", file, line, kind, amount.to_display(),
                                       confirmed_on, outcome, after_colon(detail))});
        entries.back().payment_id = disbursement::format_payment_id(payment_id);
        entries.back().file = file;
    }
}

// Settlements that no line made when it was read, and undone ones.
void add_settlements(Ledger& ledger, DrawId id, Entries& entries) {
    Query query(ledger,
                R"sql(
        SELECT s.recorded_at, s.payment_id, s.kind, s.source, s.confirmed_on, s.exception_id, s.undone_at, u.by,
            u.reason
        FROM payment p
        JOIN settlement s ON s.payment_id = p.payment_id
        LEFT JOIN resolution_undo u ON u.exception_id = s.exception_id
        LEFT JOIN confirmation_line l ON l.line_id = s.line_id
        WHERE p.draw_id = ? AND (s.source <> 'line' OR l.outcome <> 'applied')
        ORDER BY s.settlement_id)sql",
                id);
    while (query.next()) {
        const auto [at, payment_id, kind, source, confirmed_on, exception_id, undone_at, undone_by, undone_reason] =
            query.row<Instant, std::int64_t, std::string, std::string, std::string, std::int64_t,
                      std::optional<Instant>, std::string, std::string>();
        const std::string name = disbursement::format_payment_id(payment_id);
        const std::string what = fmt::format("{} counts as {} on {}", name, kind, confirmed_on);
        if (source == "time") {
            entries.push_back(
                {at, "confirmation", TimelineEvent::settled_by_time, what + ": nothing came back in time"});
            entries.back().payment_id = name;
            continue;
        }
        if (source == "line") {
            entries.push_back({at, "confirmation", event_of("line", kind),
                               what + ": its return was undone, and the bank had listed its debit"});
            entries.back().payment_id = name;
            continue;
        }
        entries.push_back({at, "confirmation", event_of("match", kind),
                           fmt::format("{}: a person matched the line of exception {}", what, exception_id)});
        entries.back().payment_id = name;
        entries.back().exception_id = exception_id;
        if (!undone_at) continue;
        entries.push_back({*undone_at, "confirmation", TimelineEvent::match_undone,
                           fmt::format("the match of exception {} to {} was undone by {}: {}", exception_id, name,
                                       undone_by, undone_reason)});
        entries.back().by = undone_by;
        entries.back().payment_id = name;
        entries.back().exception_id = exception_id;
    }
}

void add_patches(Ledger& ledger, DrawId id, Entries& entries) {
    Query query(ledger,
                R"sql(
        SELECT o.created_at, o.disbursed_date, o.outcome, o.outcome_at, o.patch_id, o.withdrawn_at
        FROM outbox o
        WHERE o.draw_id = ?)sql",
                id);
    while (query.next()) {
        const auto [created_at, disbursed_date, outcome, outcome_at, patch_id, withdrawn_at] =
            query.row<Instant, Instant, std::optional<std::string>, Instant, std::int64_t, std::optional<Instant>>();
        entries.push_back({created_at, "report", TimelineEvent::report_queued,
                           fmt::format("disbursedDate {} to be sent", format_service_instant(disbursed_date))});
        Query attempts(ledger, "SELECT at, outcome, detail FROM outbox_attempt WHERE patch_id = ? ORDER BY attempt_id",
                       patch_id);
        while (attempts.next()) {
            const auto [at, result, detail] = attempts.row<Instant, std::string, std::string>();
            entries.push_back({at, "report", TimelineEvent::report_failed,
                               fmt::format("attempt: {}{}", result, after_colon(detail))});
        }
        if (outcome) entries.push_back({outcome_at, "report", event_of("report", *outcome), *outcome});
        if (withdrawn_at)
            entries.push_back(
                {*withdrawn_at, "report", TimelineEvent::report_withdrawn, "withdrawn: it never reached the service"});
    }
}

void add_payment_voids(Ledger& ledger, DrawId id, Entries& entries) {
    Query query(
        ledger,
        "SELECT voided_at, payment_id, voided_by, reason FROM payment_void WHERE draw_id = ? ORDER BY payment_id", id);
    while (query.next()) {
        const auto [at, payment_id, by, reason] = query.row<Instant, std::int64_t, std::string, std::string>();
        const std::string name = disbursement::format_payment_id(payment_id);
        entries.push_back({at, "payment", TimelineEvent::payment_voided,
                           fmt::format("{} voided by {} before it went out: {}", name, by, reason)});
        entries.back().by = by;
        entries.back().payment_id = name;
    }
}

void add_write_backs(Ledger& ledger, DrawId id, Entries& entries) {
    Query query(ledger,
                "SELECT write_back_id, event, created_at FROM write_back WHERE draw_id = ? ORDER BY write_back_id", id);
    while (query.next()) {
        const auto [write_back_id, event, created_at] = query.row<std::int64_t, std::string, Instant>();
        Query fields(ledger,
                     R"sql(
            SELECT field, value, outcome, outcome_at, detail
            FROM write_back_field
            WHERE write_back_id = ?
            ORDER BY field)sql",
                     write_back_id);
        while (fields.next()) {
            const auto [field, value, outcome, outcome_at, detail] =
                fields.row<std::string, std::string, std::optional<std::string>, Instant, std::string>();
            const std::string text = fmt::format("{} text for {}: '{}'", event, field, value);
            if (outcome) {
                entries.push_back({outcome_at, "report", event_of("text", *outcome),
                                   fmt::format("{}: {}{}", text, *outcome, after_colon(detail))});
            } else {
                entries.push_back({created_at, "report", TimelineEvent::text_queued, text + " to be written"});
            }
        }
        Query attempts(ledger,
                       "SELECT at, outcome, detail FROM write_back_attempt WHERE write_back_id = ? ORDER BY attempt_id",
                       write_back_id);
        while (attempts.next()) {
            const auto [at, outcome, detail] = attempts.row<Instant, std::string, std::string>();
            entries.push_back({at, "report", TimelineEvent::text_failed,
                               fmt::format("{} text: attempt: {}: {}", event, outcome, detail)});
        }
    }
}

void add_reissues(Ledger& ledger, DrawId id, Entries& entries) {
    Query query(
        ledger,
        "SELECT ordered_at, ordered_by, payment_id, reason FROM reissue_order WHERE draw_id = ? ORDER BY order_id", id);
    while (query.next()) {
        const auto [at, by, payment_id, reason] = query.row<Instant, std::string, std::int64_t, std::string>();
        const std::string name = disbursement::format_payment_id(payment_id);
        entries.push_back({at, "payment", TimelineEvent::reissue_ordered,
                           fmt::format("{} ordered to pay again after the return of {}: {}", by, name, reason)});
        entries.back().by = by;
        entries.back().payment_id = name;
    }
}

void add_exceptions(Ledger& ledger, DrawId id, Entries& entries) {
    Query query(ledger,
                R"sql(
        SELECT exception_id, opened_at, step, reason_code, detail, closed_at, closed_by, closed_reason
        FROM exception
        WHERE draw_id = ?
        ORDER BY exception_id)sql",
                id);
    while (query.next()) {
        const auto [exception_id, opened_at, step, reason_code, detail, closed_at, closed_by, closed_reason] =
            query.row<std::int64_t, Instant, std::string, std::string, std::string, std::optional<Instant>, std::string,
                      std::string>();
        const std::string name = fmt::format("exception {} ({})", exception_id, step);
        entries.push_back({opened_at, "exception", TimelineEvent::exception_opened,
                           fmt::format("{} opened: {}: {}", name, reason_code, detail)});
        entries.back().exception_id = exception_id;
        if (!closed_at) continue;
        entries.push_back({*closed_at, "exception", TimelineEvent::exception_closed,
                           fmt::format("{} closed by {}: {}", name, closed_by, closed_reason)});
        entries.back().by = closed_by;
        entries.back().exception_id = exception_id;
    }
}

// A person goes by one name, whoever recorded the act.
void name_person(Ledger& ledger, TimelineEntry& entry) {
    const std::string by = entry.by.value_or("");
    if (by.empty()) return;
    const std::string name = actor_named(ledger, by);
    const auto at = entry.detail.find(by);
    if (name == by || at == std::string::npos) return;
    entry.detail.replace(at, by.size(), name);
    entry.by = name;
}

}  // namespace

std::vector<TimelineEntry> timeline(Ledger& ledger, DrawId id) {
    Entries entries;
    add_readings(ledger, id, entries);
    add_decisions(ledger, id, entries);
    add_approvals(ledger, id, entries);
    add_payments(ledger, id, entries);
    add_evidence(ledger, id, entries);
    add_check_orders(ledger, id, entries);
    add_confirmations(ledger, id, entries);
    add_settlements(ledger, id, entries);
    add_patches(ledger, id, entries);
    add_payment_voids(ledger, id, entries);
    add_write_backs(ledger, id, entries);
    add_reissues(ledger, id, entries);
    add_exceptions(ledger, id, entries);
    std::ranges::stable_sort(entries, {}, &TimelineEntry::at);
    for (auto& entry : entries)
        name_person(ledger, entry);
    return entries;
}

}  // namespace drawbridge::ledger
