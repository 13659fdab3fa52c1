#include "drawbridge/ledger/reports/reconciliation.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/ledger/facts/sent_before.hpp"
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

// Before this moment we could not have seen every draw that was Disbursed without us.
Instant first_full_sweep(Ledger& ledger) {
    Query query(ledger, "SELECT completed_at FROM poll_sweep WHERE kind = 'full' ORDER BY sweep_id LIMIT 1");
    return query.first<Instant>().value_or(Instant::max());
}

void add_readings(Ledger& ledger, Slice slice, const Period& period, const TimeZone& zone) {
    const Instant opens = beginning_of(period.from, zone);
    const Instant closes = std::min(end_of(period.to, zone), period.as_of + 1ms);
    const Instant all_seen_at = first_full_sweep(ledger);
    Query query(ledger,
                R"sql(
        SELECT draw_id, workflow_id, case_name, reading_id, status, amount_requested_cents, amount_approved_cents,
            amount_disbursed_cents, approved_date, disbursed_date, read_at
        FROM draw_reading
        WHERE draw_id >= ? AND draw_id <= ?
        ORDER BY draw_id, reading_id)sql",
                slice.first(), slice.last());
    const DrawFacts* before = nullptr;
    while (query.next()) {
        const auto [draw_id, workflow_id, case_name, reading] =
            query.row<DrawId, std::int64_t, std::string, ReadingFacts>();
        DrawFacts* draw = slice.find(draw_id);
        if (draw == nullptr || reading.read_at >= closes) continue;
        if (draw != before) {
            draw->disbursed_before_us = draw->first_seen_at <= all_seen_at && reading.status == DrawStatus::disbursed;
            before = draw;
        }
        draw->workflow_id = workflow_id;
        draw->case_name = case_name;
        draw->closing = reading;
        if (reading.read_at < opens) draw->opening = reading;
    }
}

struct SettlementRow {
    std::optional<BusinessDate> on;
    Instant recorded_at;
    std::string source;
};
std::optional<SettledFact> settled(const SettlementRow& row, Instant as_of) {
    if (!row.on || row.recorded_at > as_of) return std::nullopt;
    const auto by = row.source == "time"     ? reconciliation::SettledBy::time
                    : row.source == "person" ? reconciliation::SettledBy::person
                                             : reconciliation::SettledBy::line;
    return SettledFact{*row.on, row.recorded_at, by};
}

struct PaymentFactsRow {
    DrawId draw_id = 0;
    std::int64_t payment_id = 0;
    Money amount;
    std::optional<std::string> trace_number;
    std::int64_t check_number = 0;
    std::string payee_name, file_name;
    Instant made_at;
    std::optional<Instant> staged_at, released_at, file_voided_at, ended_at, finished_at, reported_at,
        reissue_ordered_at;
    SettlementRow paid, returned, voided;
};
PaymentFacts payment_as_of(const PaymentFactsRow& row, Instant as_of) {
    PaymentFacts payment;
    payment.payment_id = row.payment_id;
    payment.payment_id_text = name_of(row.payment_id);
    payment.amount = row.amount;
    payment.is_check = !row.trace_number;
    payment.reference = row.trace_number ? *row.trace_number : std::to_string(row.check_number);
    payment.payee_name = row.payee_name;
    payment.file_name = row.file_name;
    payment.made_at = row.made_at;
    payment.staged_at = until(as_of, row.staged_at);
    payment.released_at = until(as_of, row.released_at);
    payment.file_voided_at = until(as_of, row.file_voided_at);
    payment.ended_at = until(as_of, row.ended_at);
    payment.reissue_ordered_at = until(as_of, row.reissue_ordered_at);
    payment.paid = settled(row.paid, as_of);
    payment.returned = settled(row.returned, as_of);
    payment.voided = settled(row.voided, as_of);
    // The service has the date, from a patch of this payment or of an earlier one that came back.
    if (row.reported_at) {
        payment.reported_at = until(as_of, row.reported_at);
    } else if (row.finished_at && (!row.ended_at || *row.finished_at < *row.ended_at)) {
        payment.reported_at = until(as_of, row.finished_at);
    }
    return payment;
}

void add_payments_sent_before(Ledger& ledger, Slice slice) {
    for (const auto& payment : payments_sent_before(ledger, slice.first(), slice.last())) {
        if (DrawFacts* draw = slice.find(payment.draw_id))
            draw->sent_before.push_back({payment.at, hold_text(payment)});
    }
}

// When each file was found to be too late for its settlement date. It stays too late, whoever resolved that.
std::map<std::string, Instant> missed_settlements(Ledger& ledger, Instant as_of) {
    std::map<std::string, Instant> missed;
    Query query(ledger,
                R"sql(
        SELECT f.name, min(e.opened_at)
        FROM payment_file f
        JOIN exception e ON e.subject = f.name AND e.subject <> ''
        WHERE f.released_at IS NULL AND f.voided_at IS NULL AND e.reason_code = 'settlement_date_passed'
            AND e.opened_at <= ?
        GROUP BY f.name)sql",
                as_of);
    while (query.next()) {
        auto [name, at] = query.row<std::string, Instant>();
        missed.emplace(std::move(name), at);
    }
    return missed;
}

void add_payments(Ledger& ledger, Slice slice, const Period& period) {
    const auto missed = missed_settlements(ledger, period.as_of);
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
        const auto row = query.record<PaymentFactsRow>();
        DrawFacts* draw = slice.find(row.draw_id);
        if (draw == nullptr) continue;
        auto& payment = draw->payments.emplace_back(payment_as_of(row, period.as_of));
        if (const auto found = missed.find(payment.file_name); found != missed.end())
            payment.settlement_missed_at = found->second;
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
        const auto [draw_id, disbursed_date, reported_at] = query.row<DrawId, Instant, Instant>();
        if (DrawFacts* draw = slice.find(draw_id)) {
            draw->reported_date = disbursed_date;
            draw->date_reported_at = reported_at;
        }
    }
}

ExceptionFacts read_exception(const Query& row, Instant as_of) {
    ExceptionFacts facts;
    std::optional<Money> amount;
    row.read(facts.draw_id, facts.exception_id, facts.opened_at, facts.closed_at, facts.step, facts.reason_code,
             facts.subject, facts.detail, facts.payment_id, amount);
    facts.closed_at = until(as_of, facts.closed_at);
    if (facts.payment_id) facts.payment_id_text = name_of(*facts.payment_id);
    facts.amount = amount.value_or(Money());
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
        auto exception = read_exception(query, period.as_of);
        if (DrawFacts* draw = slice.find(exception.draw_id.value())) draw->exceptions.push_back(std::move(exception));
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
    if (!query.next()) return;
    const auto [decided_at, decided, reason, reading_id, outcome] =
        query.row<Instant, std::string, std::string, std::int64_t, std::string>();
    if (reading_id != draw.closing->reading_id) return;
    draw.decision = DecisionFacts{.decided_at = decided_at,
                                  .approve = decided == "approve",
                                  .refused = outcome == "refused" || outcome == "abandoned",
                                  .approved = outcome == "approved",
                                  .reason = reason};
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
    const auto [closed_at, reason] = query.row<std::optional<Instant>, std::string>();
    line.exception_closed_at = until(as_of, closed_at);
    if (line.exception_closed_at) line.exception_closed_reason = reason;
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
            AND s.recorded_at <= ?3
            -- It does not come back before the day on which it was paid.
            AND NOT EXISTS (SELECT 1 FROM payment_settlement d WHERE d.payment_id = p.payment_id AND d.kind = 'paid'
                AND d.confirmed_on > ?2 AND d.recorded_at >= ?1)) THEN 0 WHEN EXISTS (SELECT 1 FROM payment_settlement s
            WHERE s.payment_id = p.payment_id AND s.kind = 'paid' AND (s.confirmed_on <= ?2 OR s.recorded_at < ?1)
            AND s.recorded_at <= ?3) THEN 1 ELSE 2 END AS way FROM payment p WHERE p.file_id = ?4) ways
        GROUP BY way)sql",
                closes, period.to, period.as_of, file.file_id);
    while (query.next()) {
        const auto [way, count, amount] = query.row<int, std::int64_t, Money>();
        file.row_count += count;
        file.row_total += amount;
        switch (way) {
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
    add_payments_sent_before(ledger, slice);
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
            -- A person matched it to the payment that it names badly.
            OR EXISTS (SELECT 1 FROM payment_settlement s WHERE s.line_id = l.line_id AND s.kind = 'paid'
                AND s.recorded_at <= ?), EXISTS (SELECT 1 FROM payment_settlement s WHERE s.payment_id = l.payment_id
                AND s.source <> 'time' AND s.recorded_at <= ?)
            -- A later line says the same as what was assumed.
            OR EXISTS (SELECT 1 FROM confirmation_line d WHERE d.payment_id = l.payment_id AND d.line_id > l.line_id
                AND d.outcome = 'duplicate')
        FROM confirmation_line l
        JOIN confirmation_file f ON f.confirmation_file_id = l.confirmation_file_id
        LEFT JOIN payment p ON p.payment_id = l.payment_id
        WHERE l.line_id > ? AND f.recorded_at <= ?
        ORDER BY l.line_id
        LIMIT ?)sql",
                period.as_of, period.as_of, period.as_of, after, period.as_of, limit);
    while (query.next()) {
        BankLineFacts line;
        std::string sha256;
        query.read(line.line_id, line.file_name, line.file_recorded_at, line.line, line.payment_reference, line.kind,
                   line.amount, line.currency, line.confirmed_on, line.outcome, line.payment_id, line.draw_id,
                   line.reason_code, line.detail, sha256, line.payment_is_paid, line.payment_is_settled);
        if (line.payment_id) line.payment_id_text = name_of(*line.payment_id);
        if (line.outcome == "exception") add_exception_of(ledger, line, sha256, period.as_of);
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
            SELECT file_id, name, created_at, released_at, voided_at, payment_count, total_cents
            FROM payment_file
            WHERE file_id > ? AND kind = 'payments' AND created_at <= ?
            ORDER BY file_id
            LIMIT ?)sql",
                    after, period.as_of, limit);
        while (query.next()) {
            PaymentFileFacts file;
            query.read(file.file_id, file.name, file.made_at, file.released_at, file.voided_at, file.payment_count,
                       file.total);
            file.released_at = until(period.as_of, file.released_at);
            file.voided_at = until(period.as_of, file.voided_at);
            files.push_back(std::move(file));
        }
    }
    for (auto& file : files) {
        add_payment_sums(ledger, file, period, zone);
        file.makers = describe(makers_of(ledger, file.file_id));
        if (file.released_at) file.released_by = releaser_named(ledger, file.file_id);
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
        counted.draws = query.only<std::int64_t>();
    }
    {
        Query query(ledger,
                    R"sql(
            SELECT coalesce(sum(payment_count), 0), coalesce(sum(total_cents), 0)
            FROM payment_file
            WHERE kind = 'payments' AND created_at <= ?)sql",
                    period.as_of);
        counted.payments = query.only<Sum>();
    }
    Query query(ledger,
                R"sql(
        SELECT coalesce(sum(line_count), 0)
        FROM confirmation_file
        WHERE recorded_at <= ? AND outcome = 'applied')sql",
                period.as_of);
    counted.bank_lines = query.only<std::int64_t>();
    return counted;
}

BankFileCounts bank_files_of(Ledger& ledger, const Period& period, const TimeZone& zone) {
    Query query(ledger,
                R"sql(
        SELECT count(*) FILTER (WHERE outcome = 'applied'), count(*) FILTER (WHERE outcome = 'refused')
        FROM confirmation_file
        WHERE recorded_at >= ? AND recorded_at < ? AND recorded_at <= ?)sql",
                beginning_of(period.from, zone), end_of(period.to, zone), period.as_of);
    return query.only<BankFileCounts>();
}

}  // namespace drawbridge::ledger
