#include "facts/settle.hpp"

#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/ledger/facts/check_orders.hpp"
#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/nacha/return_codes.hpp"
#include "facts/add_exception.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

using reconciliation::OpenPayment;

void audit_not_repeated(Ledger& ledger, std::int64_t payment_id, const Stamp& stamp) {
    audit(ledger, stamp, "report.not_repeated", "payment " + disbursement::format_payment_id(payment_id),
          "the draw was reported before its first payment came back: no second date is sent");
}

// The draw is paid again after a return: the service already has its date and gets no second one.
// With the +, PostgreSQL begins at payment_id and not at all unfinished payments, which it takes for few as long as it
// has no statistics.
#define FINISH_IF_REPORTED                                                                              \
    "UPDATE payment SET finished_at = ? WHERE +finished_at IS NULL AND EXISTS (SELECT 1 FROM outbox o " \
    "WHERE o.draw_id = payment.draw_id AND o.outcome IS NOT NULL) AND "

void finish_if_reported_before(Ledger& ledger, std::int64_t payment_id, const Stamp& stamp) {
    const int finished = Query(ledger, FINISH_IF_REPORTED "payment_id = ?", stamp.at, payment_id).run_counted();
    if (finished == 1) audit_not_repeated(ledger, payment_id, stamp);
}

// What the bank's code says, and what to do.
std::string advice(const Confirmation& line) {
    const auto code = nacha::find_return_code(line.reason_code, line.note);
    if (!code)
        return (line.reason_code.empty() ? "" : line.reason_code + ": ") +
               "find out why, then decide whether to pay again";
    return line.reason_code + " " + std::string(code->meaning) + ": " + std::string(nacha::what_to_do(code->action));
}

// A payment that failed can be paid again, so whoever reported the failure has a hand in that.
void record_makers(Ledger& ledger, const NewSettlement& what, const Stamp& stamp) {
    const auto draw = draw_of(ledger, what.payment_id);
    DRAWBRIDGE_ASSERT(draw.has_value(), "a payment pays a draw");
    if (what.exception_id)
        record_maker_act(ledger, MakerAct::matched, {.draw = draw, .payment = what.payment_id}, stamp);
    if (what.line_id) record_makers_of_line(ledger, *what.line_id, *draw, what.payment_id, stamp);
}

}  // namespace

void revive(Ledger& ledger, std::int64_t payment_id) {
    Query(ledger,
          R"sql(
        UPDATE payment
        SET ended_at = NULL, finished_at = CASE WHEN EXISTS (SELECT 1 FROM outbox o
            WHERE o.draw_id = payment.draw_id AND o.outcome IS NOT NULL
            -- A payment of a draw that was reported with an earlier one is finished once it is paid.
            AND (o.payment_id = payment.payment_id OR EXISTS (SELECT 1 FROM settlement s
                WHERE s.payment_id = payment.payment_id AND s.kind = 'paid' AND s.undone_at IS NULL)))
            THEN finished_at ELSE NULL END
        WHERE payment_id = ? AND ended_at IS NOT NULL)sql",
          payment_id)
        .run();
}

void end(Ledger& ledger, std::int64_t payment_id, const Stamp& stamp) {
    Query(ledger,
          R"sql(
        UPDATE payment
        SET ended_at = ?, finished_at = coalesce(finished_at, ?)
        WHERE payment_id = ? AND ended_at IS NULL)sql",
          stamp.at, stamp.at, payment_id)
        .run();
}

bool is_order_transmitted(Ledger& ledger, std::int64_t payment_id) {
    return Query(ledger, "SELECT 1 FROM check_order WHERE payment_id = ? AND transmitted_at IS NOT NULL", payment_id)
        .next();
}

std::optional<EarlierDebit> debit_before_return(Ledger& ledger, std::int64_t payment_id) {
    return Query(ledger,
                 "SELECT line_id, confirmed_on, amount_cents FROM confirmation_line WHERE payment_id = ? AND "
                 "kind = 'paid' AND outcome = 'recorded' ORDER BY line_id LIMIT 1",
                 payment_id)
        .first<EarlierDebit>();
}

void settle(Ledger& ledger, const NewSettlement& what, const Stamp& stamp) {
    assert_in_transaction(ledger);
    Query(ledger,
          R"sql(
        INSERT INTO settlement (payment_id, kind, source, line_id, confirmed_on, recorded_at, exception_id)
        VALUES (?, ?, ?, ?, ?, ?, ?))sql",
          what.payment_id, to_string(what.kind), what.source, what.line_id, what.confirmed_on, stamp.at,
          what.exception_id)
        .run();
    if (what.source != "time")  // which settles ACH credits only
        close_exceptions_of_payment(ledger, what.payment_id, check_stale, "the bank settled the check", stamp);
    if (what.kind == ConfirmationKind::paid) {
        if (is_order_transmitted(ledger, what.payment_id)) {
            revive(ledger, what.payment_id);
            for (const char* code : {"check_voided", "check_stopped"})
                close_exceptions_of_payment(ledger, what.payment_id, code, "the bank cashed the check", stamp);
        }
        finish_if_reported_before(ledger, what.payment_id, stamp);
    } else {
        end(ledger, what.payment_id, stamp);
        record_makers(ledger, what, stamp);
    }
    audit(ledger, stamp, "payment." + std::string(to_string(what.kind)),
          "payment " + disbursement::format_payment_id(what.payment_id),
          settled_by(what.because, what.amount, what.confirmed_on));
}

std::string settled_by(const std::string& because, Money amount, BusinessDate on) {
    return because + ", " + amount.to_string() + ", " + format_date(on);
}

void finish_those_reported_before(Ledger& ledger, std::int64_t first_line, const Stamp& stamp) {
    Query finished(ledger,
                   FINISH_IF_REPORTED
                   "payment_id IN (SELECT payment_id FROM confirmation_line WHERE line_id >= ? AND "
                   "outcome = 'applied' AND kind = 'paid') RETURNING payment_id",
                   stamp.at, first_line);
    for (const auto payment_id : finished.records<std::int64_t>())
        audit_not_repeated(ledger, payment_id, stamp);
}

void end_those_that_came_back(Ledger& ledger, std::int64_t first_line, const Stamp& stamp) {
    const int ended = Query(ledger,
                            R"sql(
        UPDATE payment
        SET ended_at = ?, finished_at = coalesce(finished_at, ?)
        WHERE +ended_at IS NULL -- for PostgreSQL, as above
            AND payment_id IN (SELECT payment_id FROM confirmation_line WHERE line_id >= ?
            AND outcome = 'applied' AND kind <> 'paid'))sql",
                            stamp.at, stamp.at, first_line)
                          .run_counted();
    if (ended > 0) record_makers_of_lines(ledger, first_line, stamp);
}

std::optional<std::int64_t> open_exception(Ledger& ledger, const ExceptionDetails& what) {
    Query query(ledger,
                R"sql(
        SELECT exception_id
        FROM exception
        WHERE reason_code = ? AND coalesce(draw_id, 0) = ? AND coalesce(payment_id, 0) = ? AND subject = ?
            AND closed_at IS NULL)sql",
                what.reason_code, what.draw_id.value_or(0), what.payment_id.value_or(0), what.subject);
    return query.first<std::int64_t>();
}

std::int64_t raise_about_line(Ledger& ledger, ExceptionDetails what, std::int64_t line_id, const Stamp& stamp) {
    assert_in_transaction(ledger);
    const std::string subject = what.subject;
    auto id = add_exception(ledger, what, stamp);
    for (int entry = 2; !id; ++entry) {
        what.subject = subject + ", entry " + std::to_string(entry);
        id = add_exception(ledger, what, stamp);
    }
    Query(ledger, "INSERT INTO line_exception (exception_id, line_id) VALUES (?, ?)", *id, line_id).run();
    return *id;
}

void raise_came_back(Ledger& ledger, const reconciliation::Match& match, std::int64_t line_id, std::string subject,
                     const Stamp& stamp) {
    const auto& line = match.confirmation;
    ExceptionDetails what{"confirm",        match.reason_code,  draw_of(ledger, match.payment_id),
                          match.payment_id, std::move(subject), match.detail};
    if (what.reason_code.empty()) what.reason_code = line.kind == ConfirmationKind::returned ? "returned" : "voided";
    what.detail += std::string(what.detail.empty() ? "" : ": ") + "the payment of " + line.amount.to_display() +
                   " failed on " + format_date(line.date) + ": " + advice(line);
    raise_about_line(ledger, std::move(what), line_id, stamp);
}

std::string line_subject(std::string_view file_name, std::string_view sha256, std::int64_t line) {
    return std::string(file_name) + " (" + std::string(sha256.substr(0, 12)) + ") line " + std::to_string(line);
}

std::optional<DrawId> draw_of(Ledger& ledger, std::optional<std::int64_t> payment_id) {
    if (!payment_id) return std::nullopt;
    Query query(ledger, "SELECT draw_id FROM payment WHERE payment_id = ?", *payment_id);
    return query.first<std::int64_t>();
}

void add_settlements(Ledger& ledger, const TimeZone& zone, OpenPayment& payment) {
    {
        Query query(ledger,
                    "SELECT kind, confirmed_on, source FROM payment_settlement WHERE payment_id = ? ORDER BY kind",
                    payment.payment_id);
        // In this order: paid, returned, void. What came back counts last.
        while (query.next()) {
            const auto [kind, on, source] = query.row<ConfirmationKind, BusinessDate, std::string>();
            payment.settled_as = kind;
            payment.settled_on = on;
            if (kind != ConfirmationKind::paid) continue;
            payment.paid_on = on;
            payment.paid_by_time = source == "time";
        }
    }
    if (payment.settled_as == ConfirmationKind::returned && !payment.paid_on) {
        if (const auto debit = debit_before_return(ledger, payment.payment_id)) payment.paid_on = debit->confirmed_on;
    }
    if (!payment.check_number) return;
    // We told the bank to void this check.
    Query order(ledger,
                R"sql(
        SELECT transmitted_at
        FROM check_order
        WHERE payment_id = ? AND withdrawn_at IS NULL AND transmitted_at IS NOT NULL)sql",
                payment.payment_id);
    if (!order.next() || payment.settled_as) return;
    payment.void_transmitted = true;
    payment.settled_as = ConfirmationKind::voided;
    payment.settled_on = zone.date_of(order.record<Instant>());
}

}  // namespace drawbridge::ledger
