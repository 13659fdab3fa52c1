#include "drawbridge/ledger/returns.hpp"

#include <algorithm>

#include "connection.hpp"
#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/domain/banking_calendar.hpp"
#include "drawbridge/ledger/exceptions.hpp"
#include "drawbridge/ledger/guards.hpp"
#include "drawbridge/ledger/runs.hpp"
#include "drawbridge/nacha/return_codes.hpp"
#include "payment_row.hpp"

namespace drawbridge::ledger {
namespace {

using reconciliation::Match;
using reconciliation::MatchOutcome;

// The rules give an originator so many banking days to apply a notification of change.
constexpr int correction_banking_days = 6;

struct Paid {
    std::int64_t payment_id = 0;
    DrawId draw_id = 0;
    std::optional<std::int64_t> case_id;
    disbursement::Payee payee;
};

Paid find_paid(Ledger& ledger, std::int64_t payment_id) {
    Paid paid{payment_id, 0, {}, load_payment(ledger, payment_id).payee};
    Query query(ledger,
                "SELECT p.draw_id, r.case_id FROM payment p JOIN draw_reading r ON r.reading_id = p.reading_id "
                "WHERE p.payment_id = ?",
                payment_id);
    DRAWBRIDGE_ASSERT(query.next(), "a matched payment is in the ledger");
    paid.draw_id = query.integer(0);
    paid.case_id = query.optional_integer(1);
    return paid;
}

void hold_payee(Ledger& ledger, const Paid& paid, const Confirmation& line, std::int64_t line_id, bool by_name,
                std::optional<BusinessDate> apply_by, const Stamp& stamp) {
    std::optional<std::string> fingerprint;
    std::optional<std::string> name;
    if (by_name)
        name = paid.payee.name;
    else
        fingerprint = details_fingerprint(ledger, paid.payee);
    Query(ledger,
          "INSERT INTO payee_hold (payment_id, line_id, code, is_return, payee_key, fingerprint, payee_name, apply_by, "
          "recorded_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
          paid.payment_id, line_id, line.reason_code, apply_by ? 0 : 1, paid.payee.key, fingerprint, name, apply_by,
          stamp.at)
        .run();
}

void stop_case(Ledger& ledger, const Paid& paid, const Confirmation& line, std::string_view subject,
               std::string_view meaning, const Stamp& stamp) {
    Query(ledger,
          "INSERT INTO case_stop (payment_id, case_id, payee_key, code, recorded_at) VALUES (?, ?, ?, ?, ?) "
          "ON CONFLICT DO NOTHING",
          paid.payment_id, paid.case_id, paid.payee.key, line.reason_code, stamp.at)
        .run();
    raise_exception(
        ledger,
        {"confirm", "case_stopped", paid.draw_id, paid.payment_id, std::string(subject),
         line.reason_code + " " + std::string(meaning) + (line.note.empty() ? std::string() : " (" + line.note + ")") +
             ": nothing more is paid for this case or payee until this exception is settled: escalate"},
        stamp);
}

void act_on_return(Ledger& ledger, const Match& match, std::int64_t line_id, std::string_view subject,
                   const Stamp& stamp) {
    const auto& line = match.confirmation;
    const auto code = nacha::find_return_code(line.reason_code);
    if (!code) return;
    const auto paid = find_paid(ledger, *match.payment_id);
    switch (code->action) {
        case nacha::ReturnAction::block_account:
            hold_payee(ledger, paid, line, line_id, /*by_name=*/false, std::nullopt, stamp);
            return;
        case nacha::ReturnAction::stop_case: stop_case(ledger, paid, line, subject, code->meaning, stamp); return;
        case nacha::ReturnAction::pause_everything:
            if (!is_paused(ledger)) {
                set_paused(ledger, true,
                           line.reason_code + " " + std::string(code->meaning) + ": " + std::string(subject), stamp);
            }
            raise_exception(ledger,
                            {"confirm", "duplicate_entry_returned", paid.draw_id, paid.payment_id, std::string(subject),
                             "the bank says that this payment came twice (" + line.reason_code +
                                 "): all money movement is paused: find out what went out twice, then "
                                 "'drawbridge resume'"},
                            stamp);
            return;
        case nacha::ReturnAction::ask_payee:
        case nacha::ReturnAction::fix_data:
        case nacha::ReturnAction::payment_ended:
        case nacha::ReturnAction::escalate:
        case nacha::ReturnAction::cannot_happen:
        case nacha::ReturnAction::disputed: return;
    }
}

// "****6789": corrected data may hold account numbers, which have letters too, and goes to people only so.
std::string masked(std::string_view data, bool is_account) {
    const auto is_hidden = [is_account](char c) {
        return (c >= '0' && c <= '9') || (is_account && ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')));
    };
    const std::size_t shown = std::min<std::size_t>(4, data.size() / 2);
    std::string text;
    for (std::size_t i = 0; i < data.size(); ++i)
        text += i + shown < data.size() && is_hidden(data[i]) ? '*' : data[i];
    return text;
}

void propose_correction(Ledger& ledger, const Match& match, std::int64_t line_id, std::string_view subject,
                        const Stamp& stamp) {
    const auto& line = match.confirmation;
    const auto code = nacha::find_change_code(line.reason_code);
    const auto paid = find_paid(ledger, *match.payment_id);
    const auto apply_by = BankingCalendar().add(line.date, correction_banking_days);
    if (code && (code->changes_account || code->changes_name))
        hold_payee(ledger, paid, line, line_id, code->changes_name, apply_by, stamp);
    raise_exception(
        ledger,
        {"confirm", "payee_correction", paid.draw_id, paid.payment_id, std::string(subject),
         "the payment went through, but the bank corrects payee '" + paid.payee.key + "': " + line.reason_code + " " +
             std::string(code ? code->corrected : std::string_view("an unknown change")) + ", now '" +
             masked(line.corrected_data, !code || code->changes_account) +
             "' (the bank's file has it in full): put it into payees.csv by " + format_date(apply_by) +
             "; until then the payee's next payment is held"},
        stamp);
}

std::string because(const Query& query) {
    return query.text(0) + " of payment " + disbursement::format_payment_id(query.integer(1));
}

struct LastPayment {
    std::int64_t payment_id = 0;
    bool has_ended = false;
    Money amount;
    bool is_ordered = false;
};
// Of files that were not voided.
std::optional<LastPayment> last_payment(Ledger& ledger, DrawId id) {
    Query query(ledger,
                "SELECT p.payment_id, p.ended_at IS NOT NULL, p.amount_cents, EXISTS (SELECT 1 FROM reissue_order o "
                "WHERE o.payment_id = p.payment_id) FROM payment p JOIN payment_file f ON f.file_id = p.file_id "
                "WHERE p.draw_id = ? AND f.voided_at IS NULL ORDER BY p.payment_id DESC LIMIT 1",
                id);
    if (!query.next()) return std::nullopt;
    return LastPayment{query.integer(0), query.integer(1) == 1, query.money(2), query.integer(3) == 1};
}

}  // namespace

void act_on_code(Ledger& ledger, const Match& match, std::int64_t line_id, std::string_view subject,
                 const Stamp& stamp) {
    assert_in_transaction(ledger);
    const auto kind = match.confirmation.kind;
    if (kind == ConfirmationKind::returned && match.outcome == MatchOutcome::applied)
        act_on_return(ledger, match, line_id, subject, stamp);
    if (kind == ConfirmationKind::corrected && match.outcome == MatchOutcome::recorded)
        propose_correction(ledger, match, line_id, subject, stamp);
}

std::optional<PaymentHold> payment_hold_for(Ledger& ledger, const disbursement::Payee& payee,
                                            std::optional<std::int64_t> case_id) {
    {
        Query query(ledger,
                    "SELECT s.code, s.payment_id FROM case_stop s WHERE (s.case_id = ? OR s.payee_key = ?) AND EXISTS "
                    "(SELECT 1 FROM exception_case e WHERE e.payment_id = s.payment_id AND "
                    "e.reason_code = 'case_stopped' AND e.closed_at IS NULL) LIMIT 1",
                    case_id, payee.key);
        if (query.next())
            return PaymentHold{"case_stopped", "nothing is paid for this case or payee since " + because(query) +
                                                   ": settle the exception 'case_stopped' about it first"};
    }
    if (const auto fingerprint = known_details_fingerprint(ledger, payee)) {
        Query query(ledger,
                    "SELECT code, payment_id, is_return FROM payee_hold WHERE fingerprint = ? "
                    "ORDER BY is_return DESC, hold_id LIMIT 1",
                    *fingerprint);
        const bool is_held = query.next();
        if (is_held && query.integer(2) == 1)
            return PaymentHold{"account_blocked", "the bank says that the account of payee '" + payee.key +
                                                      "' is bad (" + because(query) +
                                                      "): put new bank details into payees.csv"};
        if (is_held)
            return PaymentHold{"correction_pending", "the bank corrected the details of payee '" + payee.key + "' (" +
                                                         because(query) + "): put the correction into payees.csv"};
    }
    Query query(
        ledger,
        "SELECT code, payment_id FROM payee_hold WHERE payee_key = ? AND payee_name = ? ORDER BY hold_id LIMIT 1",
        payee.key, payee.name);
    if (!query.next()) return std::nullopt;
    return PaymentHold{"correction_pending", "the bank corrected the name of payee '" + payee.key + "' (" +
                                                 because(query) + "): put the correction into payees.csv"};
}

Result<std::int64_t> order_reissue(Ledger& ledger, DrawId id, const disbursement::PayeeDirectory& payees,
                                   std::string_view reason, const Stamp& stamp) {
    assert_in_transaction(ledger);
    const std::string name = "draw " + std::to_string(id);
    const auto last = last_payment(ledger, id);
    if (!last) return fail(ErrorCode::not_found, name + " has no payment that could be paid again");
    if (!last->has_ended) {
        return fail(ErrorCode::conflict, name + " has a payment on its way (" +
                                             disbursement::format_payment_id(last->payment_id) +
                                             "): it is paid again only after that was returned or voided");
    }
    if (last->is_ordered) return fail(ErrorCode::conflict, name + " is already to be paid again");
    const auto bad = load_payment(ledger, last->payment_id).payee;
    if (const auto* payee = payees.find(bad.key)) {
        if (const auto hold = payment_hold_for(ledger, *payee, std::nullopt)) {
            return fail(ErrorCode::conflict, name + " is not paid again yet: " + hold->detail);
        }
    }
    Query(ledger,
          "INSERT INTO reissue_order (draw_id, payment_id, ordered_at, ordered_by, reason) VALUES (?, ?, ?, ?, ?)", id,
          last->payment_id, stamp.at, stamp.actor, reason)
        .run();
    audit(ledger, stamp, "draw.reissue_ordered", name,
          "after payment " + disbursement::format_payment_id(last->payment_id) + ": " + std::string(reason));
    for (const char* code : {"returned", "returned_after_paid", "voided", "check_voided", "check_stopped"})
        close_exceptions_of_payment(ledger, last->payment_id, code, "to be paid again: " + std::string(reason), stamp);
    return last->payment_id;
}

std::optional<Money> open_reissue(Ledger& ledger, DrawId id) {
    const auto last = last_payment(ledger, id);
    if (!last || !last->has_ended || !last->is_ordered) return std::nullopt;
    return last->amount;
}

}  // namespace drawbridge::ledger
