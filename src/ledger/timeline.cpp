#include <algorithm>

#include "connection.hpp"
#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/ledger/draw_states.hpp"

namespace drawbridge::ledger {
namespace {

using Entries = std::vector<TimelineEntry>;

std::string amount_words(std::string_view name, const std::optional<Money>& amount) {
    return amount ? ", " + std::string(name) + " " + amount->to_string() : "";
}

void add_readings(Ledger& ledger, DrawId id, Entries& entries) {
    Query query(
        ledger,
        "SELECT read_at, source, status, amount_requested_cents, amount_approved_cents, modified_by, modified_date, "
        "disbursed_date FROM draw_reading WHERE draw_id = ? ORDER BY reading_id",
        id);
    while (query.next()) {
        std::string detail = to_string(static_cast<DrawStatus>(query.integer(2))) +
                             amount_words("requested", query.optional_money(3)) +
                             amount_words("approved", query.optional_money(4)) + ", modified by " + query.text(5) +
                             " at " + format_instant(query.instant(6));
        if (const auto disbursed = query.optional_instant(7)) detail += ", disbursed " + format_instant(*disbursed);
        entries.push_back({query.instant(0), "reading", detail + " (read by " + query.text(1) + ")"});
    }
}

void add_decisions(Ledger& ledger, DrawId id, Entries& entries) {
    Query query(
        ledger,
        "SELECT decided_at, outcome, coalesce(rule, ''), reason, rule_set_sha256, decided_by FROM decision WHERE "
        "draw_id = ? "
        "ORDER BY decision_id",
        id);
    while (query.next()) {
        const auto person = query.optional_text(5);
        const std::string rule = person                  ? " by " + *person + " instead of a rule"
                                 : query.text(2).empty() ? ""
                                                         : " by rule '" + query.text(2) + "'";
        entries.push_back(
            {query.instant(0), "decision",
             query.text(1) + rule + ": " + query.text(3) + " (rule set " + query.text(4).substr(0, 12) + ")"});
        entries.back().by = person.value_or("");
    }
}

void add_approvals(Ledger& ledger, DrawId id, Entries& entries) {
    Query query(ledger,
                "SELECT b.created_at, i.batch_id, i.outcome, i.outcome_at, i.learned_by, i.detail FROM approval_item i "
                "JOIN approval_batch b ON b.batch_id = i.batch_id WHERE i.draw_id = ? ORDER BY i.item_id",
                id);
    while (query.next()) {
        const std::string batch = "batch " + std::to_string(query.integer(1));
        entries.push_back({query.instant(0), "approval", "submitted in " + batch});
        if (query.is_null(2)) continue;
        const auto detail = query.optional_text(5).value_or("");
        entries.push_back(
            {query.instant(3), "approval",
             batch + ": " + query.text(2) + " (" + query.text(4) + ")" + (detail.empty() ? "" : ": " + detail)});
    }
}

void add_payments(Ledger& ledger, DrawId id, Entries& entries) {
    Query query(
        ledger,
        "SELECT f.created_at, p.payment_id, p.amount_cents, p.rail, p.trace_number, p.check_number, p.payee_key, "
        "p.payee_name, f.name, p.effective_entry_date, f.staged_at, f.released_at, f.release_ordered_by, "
        "p.settles_because, f.voided_at, f.voided_by, f.void_reason "
        "FROM payment p JOIN payment_file f ON f.file_id = p.file_id WHERE p.draw_id = ? ORDER BY p.payment_id",
        id);
    while (query.next()) {
        const std::string name = disbursement::format_payment_id(query.integer(1));
        std::string detail = name + ": " + query.money(2).to_string() + " to " + query.text(7) + " (" + query.text(6) +
                             ") by " + query.text(3);
        if (!query.is_null(4)) detail += ", trace number " + query.text(4);
        if (!query.is_null(5)) detail += ", check number " + std::to_string(query.integer(5));
        if (!query.is_null(9)) detail += ", effective " + query.text(9);
        if (!query.is_null(13)) detail += " (" + query.text(13) + ")";
        const auto first = entries.size();
        entries.push_back({query.instant(0), "payment", detail + ", in " + query.text(8)});
        if (!query.is_null(10)) entries.push_back({query.instant(10), "payment", query.text(8) + " staged"});
        if (!query.is_null(11)) {
            entries.push_back({query.instant(11), "payment", query.text(8) + " released by " + query.text(12)});
            entries.back().by = query.text(12);
        }
        if (!query.is_null(14)) {
            entries.push_back({query.instant(14), "payment",
                               query.text(8) + " voided by " + query.text(15) + " before it went out, together with " +
                                   name + ": " + query.text(16)});
            entries.back().by = query.text(15);
        }
        for (auto at = first; at < entries.size(); ++at) {
            entries[at].payment_id = name;
            entries[at].file = query.text(8);
        }
    }
}

void add_evidence(Ledger& ledger, DrawId id, Entries& entries) {
    Query query(ledger,
                "SELECT v.at, f.name, v.kind <> 'sftp', v.by, v.detail FROM payment p JOIN payment_file f "
                "ON f.file_id = p.file_id JOIN delivery_evidence v ON v.file_id = f.file_id WHERE p.draw_id = ? "
                "ORDER BY v.evidence_id",
                id);
    while (query.next()) {
        const bool somebody_says = query.integer(2) == 1;
        entries.push_back(
            {query.instant(0), "payment",
             query.text(1) + (somebody_says ? " is at the bank according to " + query.text(3) + ": " + query.text(4)
                                            : std::string(" delivered to the bank"))});
        entries.back().by = query.text(3);
        entries.back().file = query.text(1);
    }
}

void add_check_orders(Ledger& ledger, DrawId id, Entries& entries) {
    Query query(
        ledger,
        "SELECT p.check_number, o.action, o.ordered_at, o.ordered_by, o.reason, o.withdrawn_at, o.withdrawn_by, "
        "o.withdrawn_reason, o.transmitted_at, coalesce((SELECT f.name FROM check_order_line l JOIN payment_file "
        "f ON f.file_id = l.file_id WHERE l.order_id = o.order_id AND f.voided_at IS NULL), '') "
        "FROM payment p JOIN check_order o ON o.payment_id = p.payment_id WHERE p.draw_id = ? "
        "ORDER BY o.order_id",
        id);
    while (query.next()) {
        const std::string name = query.text(1) + " of check " + std::to_string(query.integer(0));
        entries.push_back({query.instant(2), "payment", name + " ordered by " + query.text(3) + ": " + query.text(4)});
        entries.back().by = query.text(3);
        if (!query.is_null(5)) {
            entries.push_back(
                {query.instant(5), "payment", name + " withdrawn by " + query.text(6) + ": " + query.text(7)});
            entries.back().by = query.text(6);
        }
        if (!query.is_null(8)) {
            entries.push_back({query.instant(8), "payment",
                               name + " sent to the bank in " + query.text(9) + ": the payment has ended"});
            entries.back().file = query.text(9);
        }
    }
}

void add_confirmations(Ledger& ledger, DrawId id, Entries& entries) {
    Query query(ledger,
                "SELECT f.recorded_at, f.name, l.line, l.kind, l.amount_cents, l.confirmed_on, l.outcome, l.detail, "
                "p.payment_id FROM payment p JOIN confirmation_line l ON l.payment_id = p.payment_id "
                "JOIN confirmation_file f ON f.confirmation_file_id = l.confirmation_file_id "
                "WHERE p.draw_id = ? ORDER BY l.line_id",
                id);
    while (query.next()) {
        std::string detail = query.text(1) + " line " + std::to_string(query.integer(2)) + ": " + query.text(3) + " " +
                             query.money(4).to_string() + " on " + query.text(5) + ": " + query.text(6);
        if (!query.text(7).empty()) detail += ": " + query.text(7);
        entries.push_back({query.instant(0), "confirmation", detail});
        entries.back().payment_id = disbursement::format_payment_id(query.integer(8));
        entries.back().file = query.text(1);
    }
}

// Settlements that no line made by itself, and undone ones.
void add_settlements(Ledger& ledger, DrawId id, Entries& entries) {
    Query query(ledger,
                "SELECT s.recorded_at, s.payment_id, s.kind, s.source, s.confirmed_on, s.exception_id, s.undone_at, "
                "u.by, u.reason FROM payment p JOIN settlement s ON s.payment_id = p.payment_id "
                "LEFT JOIN resolution_undo u ON u.exception_id = s.exception_id "
                "WHERE p.draw_id = ? AND s.source <> 'line' ORDER BY s.settlement_id",
                id);
    while (query.next()) {
        const std::string name = disbursement::format_payment_id(query.integer(1));
        const std::string what = name + " counts as " + query.text(2) + " on " + query.text(4);
        if (query.text(3) == "time") {
            entries.push_back({query.instant(0), "confirmation", what + ": nothing came back in time"});
            entries.back().payment_id = name;
            continue;
        }
        const std::string number = "exception " + std::to_string(query.integer(5));
        entries.push_back({query.instant(0), "confirmation", what + ": a person matched the line of " + number});
        entries.back().payment_id = name;
        entries.back().exception_id = query.integer(5);
        if (query.is_null(6)) continue;
        entries.push_back(
            {query.instant(6), "confirmation",
             "the match of " + number + " to " + name + " was undone by " + query.text(7) + ": " + query.text(8)});
        entries.back().by = query.text(7);
        entries.back().payment_id = name;
        entries.back().exception_id = query.integer(5);
    }
}

void add_patches(Ledger& ledger, DrawId id, Entries& entries) {
    Query query(
        ledger,
        "SELECT o.created_at, o.disbursed_date, o.outcome, o.outcome_at, o.patch_id, o.withdrawn_at FROM outbox o "
        "WHERE o.draw_id = ?",
        id);
    while (query.next()) {
        entries.push_back(
            {query.instant(0), "report", "disbursedDate " + format_service_instant(query.instant(1)) + " to be sent"});
        Query attempts(ledger, "SELECT at, outcome, detail FROM outbox_attempt WHERE patch_id = ? ORDER BY attempt_id",
                       query.integer(4));
        while (attempts.next()) {
            const auto detail = attempts.text(2);
            entries.push_back({attempts.instant(0), "report",
                               "attempt: " + attempts.text(1) + (detail.empty() ? "" : ": " + detail)});
        }
        if (!query.is_null(2)) entries.push_back({query.instant(3), "report", query.text(2)});
        if (!query.is_null(5))
            entries.push_back({query.instant(5), "report", "withdrawn: it never reached the service"});
    }
}

void add_payment_voids(Ledger& ledger, DrawId id, Entries& entries) {
    Query query(
        ledger,
        "SELECT voided_at, payment_id, voided_by, reason FROM payment_void WHERE draw_id = ? ORDER BY payment_id", id);
    while (query.next()) {
        entries.push_back({query.instant(0), "payment",
                           disbursement::format_payment_id(query.integer(1)) + " voided by " + query.text(2) +
                               " before it went out: " + query.text(3)});
        entries.back().by = query.text(2);
        entries.back().payment_id = disbursement::format_payment_id(query.integer(1));
    }
}

void add_write_backs(Ledger& ledger, DrawId id, Entries& entries) {
    Query query(ledger,
                "SELECT write_back_id, event, created_at FROM write_back WHERE draw_id = ? ORDER BY write_back_id", id);
    while (query.next()) {
        const std::string name = query.text(1) + " text for ";
        Query fields(ledger,
                     "SELECT field, value, outcome, outcome_at, detail FROM write_back_field WHERE write_back_id = ? "
                     "ORDER BY field",
                     query.integer(0));
        while (fields.next()) {
            std::string text = name;
            text += fields.text(0) + ": '" + fields.text(1) + "'";
            if (fields.is_null(2)) {
                entries.push_back({query.instant(2), "report", text + " to be written"});
                continue;
            }
            const std::string detail = fields.text(4);
            entries.push_back(
                {fields.instant(3), "report", text + ": " + fields.text(2) + (detail.empty() ? "" : ": " + detail)});
        }
        Query attempts(ledger,
                       "SELECT at, outcome, detail FROM write_back_attempt WHERE write_back_id = ? ORDER BY attempt_id",
                       query.integer(0));
        while (attempts.next()) {
            entries.push_back({attempts.instant(0), "report",
                               query.text(1) + " text: attempt: " + attempts.text(1) + ": " + attempts.text(2)});
        }
    }
}

void add_reissues(Ledger& ledger, DrawId id, Entries& entries) {
    Query query(
        ledger,
        "SELECT ordered_at, ordered_by, payment_id, reason FROM reissue_order WHERE draw_id = ? ORDER BY order_id", id);
    while (query.next()) {
        entries.push_back({query.instant(0), "payment",
                           query.text(1) + " ordered to pay again after the return of " +
                               disbursement::format_payment_id(query.integer(2)) + ": " + query.text(3)});
        entries.back().by = query.text(1);
        entries.back().payment_id = disbursement::format_payment_id(query.integer(2));
    }
}

void add_exceptions(Ledger& ledger, DrawId id, Entries& entries) {
    Query query(ledger,
                "SELECT exception_id, opened_at, step, reason_code, detail, closed_at, closed_by, closed_reason "
                "FROM exception WHERE draw_id = ? ORDER BY exception_id",
                id);
    while (query.next()) {
        const std::string name = "exception " + std::to_string(query.integer(0)) + " (" + query.text(2) + ")";
        entries.push_back({query.instant(1), "exception", name + " opened: " + query.text(3) + ": " + query.text(4)});
        entries.back().exception_id = query.integer(0);
        if (query.is_null(5)) continue;
        entries.push_back({query.instant(5), "exception", name + " closed by " + query.text(6) + ": " + query.text(7)});
        entries.back().by = query.text(6);
        entries.back().exception_id = query.integer(0);
    }
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
    return entries;
}

}  // namespace drawbridge::ledger
