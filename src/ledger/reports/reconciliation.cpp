#include "drawbridge/ledger/reports/reconciliation.hpp"

#include <algorithm>
#include <limits>

#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/ledger/facts/makers.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

using namespace std::chrono_literals;
using reconciliation::BankLineFacts;
using reconciliation::DecisionFacts;
using reconciliation::DrawFacts;
using reconciliation::ExceptionFacts;
using reconciliation::PaymentFacts;
using reconciliation::PaymentFileFacts;
using reconciliation::Period;
using reconciliation::ReadingFacts;
using reconciliation::SettledFact;

Instant beginning_of(BusinessDate day, const TimeZone& zone) {
    return zone.to_instant(day, 0min);
}

Instant end_of(BusinessDate day, const TimeZone& zone) {
    return beginning_of(std::chrono::sys_days(day) + std::chrono::days(1), zone);
}

// Facts recorded after `as_of` count as not recorded.
std::optional<Instant> until(Instant as_of, const std::optional<Instant>& at) {
    return at && *at <= as_of ? at : std::nullopt;
}

std::string name_of(std::int64_t payment_id) {
    return disbursement::format_payment_id(payment_id);
}

// The draws of one slice by ascending id, and the position to find the draw of each row as rows come in.
class Slice {
  public:
    explicit Slice(std::vector<DrawFacts>& draws) : draws_(draws) {}
    [[nodiscard]] DrawId first() const { return draws_.front().draw_id; }
    [[nodiscard]] DrawId last() const { return draws_.back().draw_id; }
    // Rows come in ascending order too. nullptr: the draw is not in the slice.
    DrawFacts* find(DrawId id) {
        while (at_ < draws_.size() && draws_[at_].draw_id < id)
            ++at_;
        return at_ < draws_.size() && draws_[at_].draw_id == id ? &draws_[at_] : nullptr;
    }

  private:
    std::vector<DrawFacts>& draws_;
    std::size_t at_ = 0;
};

ReadingFacts read_reading(const Query& row) {
    ReadingFacts reading;
    reading.reading_id = row.integer(10);
    reading.status = static_cast<DrawStatus>(row.integer(2));
    reading.read_at = row.instant(1);
    reading.amount_requested = row.optional_money(3);
    reading.amount_approved = row.optional_money(4);
    reading.amount_disbursed = row.optional_money(5);
    reading.approved_date = row.optional_instant(6);
    reading.disbursed_date = row.optional_instant(7);
    return reading;
}

// Before this moment we could not have seen every draw that was Disbursed without us.
Instant first_full_sweep(Ledger& ledger) {
    Query query(ledger, "SELECT completed_at FROM poll_sweep WHERE kind = 'full' ORDER BY sweep_id LIMIT 1");
    return query.next() ? query.instant(0) : Instant::max();
}

void add_readings(Ledger& ledger, Slice slice, const Period& period, const TimeZone& zone) {
    const Instant opens = beginning_of(period.from, zone);
    const Instant closes = std::min(end_of(period.to, zone), period.as_of + 1ms);
    const Instant all_seen_at = first_full_sweep(ledger);
    Query query(ledger,
                R"sql(
        SELECT draw_id, read_at, status, amount_requested_cents, amount_approved_cents, amount_disbursed_cents,
            approved_date, disbursed_date, workflow_id, case_name, reading_id
        FROM draw_reading
        WHERE draw_id >= ? AND draw_id <= ?
        ORDER BY draw_id, reading_id)sql",
                slice.first(), slice.last());
    const DrawFacts* before = nullptr;
    while (query.next()) {
        DrawFacts* draw = slice.find(query.integer(0));
        const Instant read_at = query.instant(1);
        if (draw == nullptr || read_at >= closes) continue;
        if (draw != before) {
            draw->disbursed_before_us = draw->first_seen_at <= all_seen_at &&
                                        static_cast<DrawStatus>(query.integer(2)) == DrawStatus::disbursed;
            before = draw;
        }
        draw->closing = read_reading(query);
        draw->workflow_id = query.integer(8);
        draw->case_name = query.optional_text(9).value_or("");
        if (read_at < opens) draw->opening = draw->closing;
    }
}

std::optional<SettledFact> settled(const Query& row, int at, Instant as_of) {
    if (row.is_null(at) || row.instant(at + 1) > as_of) return std::nullopt;
    const auto source = row.text(at + 2);
    const auto by = source == "time"     ? reconciliation::SettledBy::time
                    : source == "person" ? reconciliation::SettledBy::person
                                         : reconciliation::SettledBy::line;
    return SettledFact{row.date(at), row.instant(at + 1), by};
}

PaymentFacts read_payment(const Query& row, Instant as_of) {
    PaymentFacts payment;
    payment.payment_id = row.integer(1);
    payment.payment_id_text = name_of(payment.payment_id);
    payment.amount = row.money(2);
    payment.is_check = row.is_null(3);
    payment.reference = payment.is_check ? std::to_string(row.integer(4)) : row.text(3);
    payment.payee_name = row.text(5);
    payment.file_name = row.text(6);
    payment.made_at = row.instant(7);
    payment.staged_at = until(as_of, row.optional_instant(8));
    payment.released_at = until(as_of, row.optional_instant(9));
    payment.file_voided_at = until(as_of, row.optional_instant(10));
    payment.ended_at = until(as_of, row.optional_instant(11));
    payment.reissue_ordered_at = until(as_of, row.optional_instant(14));
    payment.paid = settled(row, 15, as_of);
    payment.returned = settled(row, 18, as_of);
    payment.voided = settled(row, 21, as_of);
    // The service has the date, from a patch of this payment or of an earlier one that came back.
    const auto reported = row.optional_instant(13);
    const auto finished = row.optional_instant(12);
    const bool has_ended = !row.is_null(11);
    if (reported) payment.reported_at = until(as_of, reported);
    if (!reported && finished && (!has_ended || *finished < row.instant(11)))
        payment.reported_at = until(as_of, finished);
    return payment;
}

void add_payments(Ledger& ledger, Slice slice, const Period& period) {
    Query query(ledger,
                R"sql(
        SELECT p.draw_id, p.payment_id, p.amount_cents, p.trace_number, p.check_number, p.payee_name, f.name,
            f.created_at, f.staged_at, f.released_at, f.voided_at, p.ended_at, p.finished_at, (SELECT o.outcome_at
            FROM outbox o WHERE o.draw_id = p.draw_id AND o.payment_id = p.payment_id
            AND o.outcome IS NOT NULL), (SELECT r.ordered_at FROM reissue_order r
            WHERE r.payment_id = p.payment_id), a.confirmed_on, a.recorded_at, a.source, b.confirmed_on,
            b.recorded_at, b.source, c.confirmed_on, c.recorded_at, c.source
        FROM payment p
        JOIN payment_file f ON f.file_id = p.file_id
        LEFT JOIN payment_settlement a ON a.payment_id = p.payment_id AND a.kind = 'paid'
        LEFT JOIN payment_settlement b ON b.payment_id = p.payment_id AND b.kind = 'returned'
        LEFT JOIN payment_settlement c ON c.payment_id = p.payment_id AND c.kind = 'void'
        WHERE p.draw_id >= ? AND p.draw_id <= ? AND f.created_at <= ?
        ORDER BY p.draw_id, p.payment_id)sql",
                slice.first(), slice.last(), period.as_of);
    while (query.next()) {
        if (DrawFacts* draw = slice.find(query.integer(0))) draw->payments.push_back(read_payment(query, period.as_of));
    }
}

void add_reported_dates(Ledger& ledger, Slice slice, const Period& period) {
    Query query(ledger,
                R"sql(
        SELECT draw_id, disbursed_date, outcome_at
        FROM outbox
        WHERE draw_id >= ? AND draw_id <= ? AND outcome IS NOT NULL AND outcome_at <= ?
        ORDER BY draw_id, patch_id)sql",
                slice.first(), slice.last(), period.as_of);
    while (query.next()) {
        if (DrawFacts* draw = slice.find(query.integer(0))) {
            draw->reported_date = query.instant(1);
            draw->date_reported_at = query.instant(2);
        }
    }
}

ExceptionFacts read_exception(const Query& row, Instant as_of) {
    ExceptionFacts facts;
    row.read(facts.draw_id, facts.exception_id, facts.opened_at);
    facts.closed_at = until(as_of, row.optional_instant(3));
    facts.step = row.text(4);
    facts.reason_code = row.text(5);
    facts.subject = row.text(6);
    facts.detail = row.text(7);
    facts.payment_id = row.optional_integer(8);
    if (facts.payment_id) facts.payment_id_text = name_of(*facts.payment_id);
    facts.amount = row.optional_money(9).value_or(Money());
    return facts;
}

#define CASE_COLUMNS                                                                                    \
    "e.draw_id, e.exception_id, e.opened_at, e.closed_at, e.step, e.reason_code, e.subject, e.detail, " \
    "e.payment_id, (SELECT p.amount_cents FROM payment p WHERE p.payment_id = e.payment_id) FROM exception e "

void add_exceptions(Ledger& ledger, Slice slice, const Period& period) {
    Query query(ledger,
                "SELECT " CASE_COLUMNS
                "WHERE e.draw_id >= ? AND e.draw_id <= ? AND e.opened_at <= ? ORDER BY e.draw_id, e.exception_id",
                slice.first(), slice.last(), period.as_of);
    while (query.next()) {
        if (DrawFacts* draw = slice.find(query.integer(0)))
            draw->exceptions.push_back(read_exception(query, period.as_of));
    }
}

// The decision that counts for a draw that waits for approval: the newest one, if it is on the current reading.
void add_decision(Ledger& ledger, DrawFacts& draw, Instant as_of) {
    Query query(ledger,
                R"sql(
        SELECT c.decided_at, c.outcome, c.reason, c.reading_id, (SELECT i.outcome FROM approval_item i
            WHERE i.decision_id = c.decision_id AND i.outcome_at <= ? ORDER BY i.item_id DESC LIMIT 1)
        FROM decision c
        WHERE c.draw_id = ? AND c.decided_at <= ?
        ORDER BY c.decision_id DESC
        LIMIT 1)sql",
                as_of, draw.draw_id, as_of);
    if (!query.next() || query.integer(3) != draw.closing->reading_id) return;
    DecisionFacts decision;
    decision.decided_at = query.instant(0);
    decision.approve = query.text(1) == "approve";
    decision.reason = query.text(2);
    const auto outcome = query.optional_text(4);
    decision.approved = outcome == "approved";
    decision.refused = outcome == "refused" || outcome == "abandoned";
    draw.decision = std::move(decision);
}

std::string line_subject(const BankLineFacts& line, const std::string& sha256) {
    return line.file_name + " (" + sha256.substr(0, 12) + ") line " + std::to_string(line.line);
}

// The newest exception about a line; one that was opened again counts.
void add_exception_of(Ledger& ledger, BankLineFacts& line, const std::string& sha256, Instant as_of) {
    Query query(ledger,
                R"sql(
        SELECT closed_at, closed_reason
        FROM exception
        WHERE subject = ? AND subject <> '' AND reason_code = ? AND opened_at <= ?
        ORDER BY exception_id DESC
        LIMIT 1)sql",
                line_subject(line, sha256), line.reason_code, as_of);
    if (!query.next()) return;
    line.exception_closed_at = until(as_of, query.optional_instant(0));
    if (line.exception_closed_at) line.exception_closed_reason = query.optional_text(1).value_or("");
}

// The sums of a file's payments, by their state at the end of the period.
void add_payment_sums(Ledger& ledger, PaymentFileFacts& file, const Period& period, const TimeZone& zone) {
    const Instant closes = std::min(end_of(period.to, zone), period.as_of + 1ms);
    Query query(ledger,
                R"sql(
        SELECT way, count(*), sum(amount_cents)
        FROM (SELECT p.amount_cents, CASE WHEN p.ended_at < ?1
            OR EXISTS (SELECT 1 FROM payment_settlement s WHERE s.payment_id = p.payment_id AND s.kind <> 'paid'
            AND (s.confirmed_on <= ?2 OR s.recorded_at < ?1)
            AND s.recorded_at <= ?3) THEN 0 WHEN EXISTS (SELECT 1 FROM payment_settlement s
            WHERE s.payment_id = p.payment_id AND s.kind = 'paid' AND (s.confirmed_on <= ?2 OR s.recorded_at < ?1)
            AND s.recorded_at <= ?3) THEN 1 ELSE 2 END AS way FROM payment p WHERE p.file_id = ?4)
        GROUP BY way)sql",
                closes, period.to, period.as_of, file.file_id);
    while (query.next()) {
        const auto count = query.integer(1);
        const auto amount = query.money(2);
        file.row_count += count;
        file.row_total += amount;
        switch (query.integer(0)) {
            case 0: file.ended_count = count, file.ended = amount; break;
            case 1: file.paid_count = count, file.paid = amount; break;
            default: file.open_count = count, file.open = amount; break;
        }
    }
}

}  // namespace

std::vector<DrawFacts> facts_of_draws(Ledger& ledger, DrawId after, int limit, const Period& period,
                                      const TimeZone& zone) {
    std::vector<DrawFacts> draws;
    {
        Query query(ledger,
                    R"sql(
            SELECT draw_id, first_seen_at
            FROM draw
            WHERE draw_id > ? AND first_seen_at <= ?
            ORDER BY draw_id
            LIMIT ?)sql",
                    after, period.as_of, limit);
        while (query.next()) {
            DrawFacts draw;
            query.read(draw.draw_id, draw.first_seen_at);
            draws.push_back(std::move(draw));
        }
    }
    if (draws.empty()) return draws;
    const Slice slice(draws);
    add_readings(ledger, slice, period, zone);
    add_payments(ledger, slice, period);
    add_reported_dates(ledger, slice, period);
    add_exceptions(ledger, slice, period);
    for (auto& draw : draws) {
        if (draw.closing && draw.closing->status == DrawStatus::pending_approval)
            add_decision(ledger, draw, period.as_of);
    }
    return draws;
}

std::vector<BankLineFacts> facts_of_bank_lines(Ledger& ledger, std::int64_t after, int limit, const Period& period) {
    std::vector<BankLineFacts> lines;
    Query query(ledger,
                R"sql(
        SELECT l.line_id, f.name, f.recorded_at, l.line, l.payment_reference, l.kind, l.amount_cents, l.currency,
            l.confirmed_on, l.outcome, l.payment_id, p.draw_id, l.reason_code, l.detail, f.sha256, EXISTS (SELECT 1
            FROM payment_settlement s WHERE s.payment_id = l.payment_id AND s.kind = 'paid' AND s.recorded_at <= ?)
        FROM confirmation_line l
        JOIN confirmation_file f ON f.confirmation_file_id = l.confirmation_file_id
        LEFT JOIN payment p ON p.payment_id = l.payment_id
        WHERE l.line_id > ? AND f.recorded_at <= ?
        ORDER BY l.line_id
        LIMIT ?)sql",
                period.as_of, after, period.as_of, limit);
    while (query.next()) {
        BankLineFacts line;
        query.read(line.line_id, line.file_name, line.file_recorded_at, line.line, line.payment_reference);
        line.kind = parse_confirmation_kind(query.text(5)).value_or(ConfirmationKind::unrelated);
        line.amount = query.money(6);
        line.currency = query.text(7);
        line.confirmed_on = query.date(8);
        line.outcome = query.text(9);
        line.payment_id = query.optional_integer(10);
        if (line.payment_id) line.payment_id_text = name_of(*line.payment_id);
        line.draw_id = query.optional_integer(11);
        line.reason_code = query.text(12);
        line.detail = query.text(13);
        line.payment_is_paid = query.integer(15) == 1;
        if (line.outcome == "exception") add_exception_of(ledger, line, query.text(14), period.as_of);
        lines.push_back(std::move(line));
    }
    return lines;
}

std::vector<PaymentFileFacts> facts_of_payment_files(Ledger& ledger, std::int64_t after, int limit,
                                                     const Period& period, const TimeZone& zone) {
    std::vector<PaymentFileFacts> files;
    {
        Query query(ledger,
                    R"sql(
            SELECT file_id, name, created_at, released_at, voided_at, payment_count, total_cents,
                coalesce(release_ordered_by, '')
            FROM payment_file
            WHERE file_id > ? AND kind = 'payments' AND created_at <= ?
            ORDER BY file_id
            LIMIT ?)sql",
                    after, period.as_of, limit);
        while (query.next()) {
            PaymentFileFacts file;
            query.read(file.file_id, file.name, file.made_at);
            file.released_at = until(period.as_of, query.optional_instant(3));
            file.voided_at = until(period.as_of, query.optional_instant(4));
            file.payment_count = query.integer(5);
            file.total = query.money(6);
            if (file.released_at) file.released_by = query.text(7);
            files.push_back(std::move(file));
        }
    }
    for (auto& file : files) {
        add_payment_sums(ledger, file, period, zone);
        file.makers = describe(makers_of(ledger, file.file_id));
    }
    return files;
}

std::vector<ExceptionFacts> facts_of_exceptions(Ledger& ledger, std::int64_t after, int limit, const Period& period) {
    std::vector<ExceptionFacts> exceptions;
    Query query(ledger,
                "SELECT " CASE_COLUMNS
                "WHERE e.exception_id > ? AND e.opened_at <= ? AND NOT EXISTS "
                "(SELECT 1 FROM draw d WHERE d.draw_id = e.draw_id) ORDER BY e.exception_id LIMIT ?",
                after, period.as_of, limit);
    while (query.next())
        exceptions.push_back(read_exception(query, period.as_of));
    return exceptions;
}

reconciliation::Counted count_for_reconciliation(Ledger& ledger, const Period& period) {
    reconciliation::Counted counted;
    {
        Query query(ledger, "SELECT count(*) FROM draw WHERE first_seen_at <= ?", period.as_of);
        query.next();
        counted.draws = query.integer(0);
    }
    {
        Query query(ledger,
                    R"sql(
            SELECT coalesce(sum(payment_count), 0), coalesce(sum(total_cents), 0)
            FROM payment_file
            WHERE kind = 'payments' AND created_at <= ?)sql",
                    period.as_of);
        query.next();
        counted.payments = {query.integer(0), query.money(1)};
    }
    Query query(ledger,
                R"sql(
        SELECT coalesce(sum(line_count), 0)
        FROM confirmation_file
        WHERE recorded_at <= ? AND outcome = 'applied')sql",
                period.as_of);
    query.next();
    counted.bank_lines = query.integer(0);
    return counted;
}

BankFileCounts bank_files_of(Ledger& ledger, const Period& period, const TimeZone& zone) {
    Query query(ledger,
                R"sql(
        SELECT count(*) FILTER (WHERE outcome = 'applied'), count(*) FILTER (WHERE outcome = 'refused')
        FROM confirmation_file
        WHERE recorded_at >= ? AND recorded_at < ? AND recorded_at <= ?)sql",
                beginning_of(period.from, zone), end_of(period.to, zone), period.as_of);
    query.next();
    return {query.integer(0), query.integer(1)};
}

}  // namespace drawbridge::ledger
