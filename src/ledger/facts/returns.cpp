#include "drawbridge/ledger/facts/returns.hpp"

#include <algorithm>

#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/ledger/facts/confirmations.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/guards.hpp"
#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/nacha/return_codes.hpp"
#include "drawbridge/reconciliation/return_effects.hpp"
#include "facts/bank_reports.hpp"
#include "facts/payment_row.hpp"
#include "facts/settle.hpp"
#include "store/connection.hpp"
#include "store/id_list.hpp"

namespace drawbridge::ledger {
namespace {

using nacha::PayeeField;
using reconciliation::Match;
using reconciliation::ReturnEffects;

// A payment or a prenote.
struct Paid {
    std::optional<std::int64_t> payment_id, prenote_id;
    std::optional<DrawId> draw_id;  // of a payment
    std::optional<std::int64_t> case_id;
    disbursement::Payee payee;
};

Paid find_paid(Ledger& ledger, std::int64_t payment_id) {
    Paid paid{payment_id, {}, {}, {}, load_payment(ledger, payment_id).payee};
    Query query(ledger,
                R"sql(
        SELECT p.draw_id, r.case_id
        FROM payment p
        JOIN draw_reading r ON r.reading_id = p.reading_id
        WHERE p.payment_id = ?)sql",
                payment_id);
    DRAWBRIDGE_ASSERT(query.next(), "a matched payment is in the ledger");
    query.read(paid.draw_id, paid.case_id);
    return paid;
}

// The payment of the line, or the prenote that it corrects.
std::optional<Paid> find_paid(Ledger& ledger, const Match& match) {
    const auto& line = match.confirmation;
    if (match.payment_id) return find_paid(ledger, *match.payment_id);
    if (line.kind != ConfirmationKind::corrected || match.outcome != reconciliation::MatchOutcome::recorded) return {};
    const auto prenote = find_prenote(ledger, line.payment_reference);
    if (!prenote) return {};
    return Paid{{}, prenote->prenote_id, {}, {}, load_prenote(ledger, prenote->prenote_id).payee};
}

// A single field of the bank details, for a hold that ends only when that field changes.
disbursement::Payee only(const disbursement::Payee& payee, PayeeField field) {
    disbursement::Payee one;
    one.rail = payee.rail;
    switch (field) {
        case PayeeField::routing_number: one.routing_number = payee.routing_number; break;
        case PayeeField::account_number: one.account_number = payee.account_number; break;
        case PayeeField::account_type: one.account_type = payee.account_type; break;
        case PayeeField::name: break;
    }
    return one;
}

struct PayeeHold {
    std::string_view code;
    std::int64_t line_id = 0;
    std::optional<BusinessDate> apply_by;    // of a correction; nullopt: a return
    std::optional<std::string> fingerprint;  // of the details on hold; nullopt: the payee's name is
    std::optional<std::string> field;        // nullopt: the account, or the name
};

void insert_hold(Ledger& ledger, const Paid& paid, const PayeeHold& hold, const Stamp& stamp) {
    const auto& [code, line_id, apply_by, fingerprint, field] = hold;
    std::optional<std::string> name;
    if (!fingerprint) name = paid.payee.name;
    Query(ledger,
          R"sql(
        INSERT INTO payee_hold (payment_id, prenote_id, line_id, code, is_return, payee_key, fingerprint, payee_name,
            apply_by, recorded_at, field)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?))sql",
          paid.payment_id, paid.prenote_id, line_id, code, apply_by ? 0 : 1, paid.payee.key, fingerprint, name,
          apply_by, stamp.at, field)
        .run();
}

// For other payees with this account, a hold on the whole account; for this payee, a hold on each field that the bank
// corrects.
void insert_holds(Ledger& ledger, const Paid& paid, const ReturnEffects& effects, std::string_view code,
                  std::int64_t line_id, const Stamp& stamp) {
    for (const PayeeField field : effects.hold_fields) {
        std::optional<std::string> fingerprint, name;
        if (field != PayeeField::name) {
            fingerprint = details_fingerprint(ledger, only(paid.payee, field));
            name = nacha::to_string(field);
        }
        insert_hold(
            ledger, paid,
            {.code = code, .line_id = line_id, .apply_by = effects.apply_by, .fingerprint = fingerprint, .field = name},
            stamp);
    }
    if (effects.hold_account) {
        const auto print = effects.holds_every_spelling ? account_fingerprint(ledger, paid.payee)
                                                        : details_fingerprint(ledger, paid.payee);
        insert_hold(ledger, paid,
                    {.code = code,
                     .line_id = line_id,
                     .apply_by = effects.apply_by,
                     .fingerprint = print,
                     .field = std::nullopt},
                    stamp);
    }
}

void insert_case_stop(Ledger& ledger, const Paid& paid, std::string_view code, const Stamp& stamp) {
    Query(ledger,
          R"sql(
        INSERT INTO case_stop (payment_id, case_id, payee_key, code, recorded_at)
        VALUES (?, ?, ?, ?, ?)
        ON CONFLICT DO NOTHING)sql",
          paid.payment_id, paid.case_id, paid.payee.key, code, stamp.at)
        .run();
}

// True: the same correction came in before, in another file or on another line, and its exception is open.
bool is_proposed(Ledger& ledger, const Paid& paid, const std::string& code) {
    Query query(ledger,
                R"sql(
        SELECT 1
        FROM exception e
        JOIN line_exception c ON c.exception_id = e.exception_id
        JOIN confirmation_line l ON l.line_id = c.line_id
        WHERE e.payment_id = ?1 AND e.reason_code = 'payee_correction' AND e.closed_at IS NULL AND l.bank_code = ?3
        UNION ALL
        SELECT 1
        FROM payee_hold h
        JOIN line_exception c ON c.line_id = h.line_id
        JOIN exception e ON e.exception_id = c.exception_id
        WHERE h.payee_key = ?4 AND h.prenote_id = ?2 AND h.code = ?3 AND e.reason_code = 'payee_correction'
            AND e.closed_at IS NULL)sql",
                paid.payment_id, paid.prenote_id, code, paid.payee.key);
    return query.next();
}

// True: another line gave the payment this code with the same meaning, and what it causes was done then.
bool has_code(Ledger& ledger, std::int64_t payment_id, const Confirmation& line, std::int64_t line_id) {
    const auto action_for = [&](std::string_view note) {
        const auto code = nacha::find_return_code(line.reason_code, note);
        return code ? std::optional(code->action) : std::nullopt;
    };
    Query query(ledger,
                R"sql(
        SELECT l.note
        FROM settlement s
        JOIN confirmation_line l ON l.line_id = s.line_id
        WHERE s.payment_id = ?1 AND s.undone_at IS NULL AND s.line_id <> ?3 AND l.bank_code = ?2
        UNION ALL
        SELECT l.note
        FROM confirmation_line l
        WHERE l.payment_id = ?1 AND l.line_id < ?3 AND l.kind = 'returned' AND l.bank_code = ?2
            AND (l.outcome = 'duplicate' OR l.reason_code = 'settled_differently'))sql",
                payment_id, line.reason_code, line_id);
    while (query.next()) {
        if (action_for(query.record<std::string>()) == action_for(line.note)) return true;
    }
    return false;
}

// `paid` has neither payment nor prenote if the line is about a whole file.
void pause_and_raise(Ledger& ledger, const ReturnEffects& effects, const Paid& paid, std::int64_t line_id,
                     std::string_view subject, const Stamp& stamp) {
    if (!effects.pause_because.empty() && !is_paused(ledger))
        set_paused(ledger, /*paused=*/true, effects.pause_because, stamp);
    if (effects.reason_code.empty()) return;
    raise_about_line(
        ledger, {"confirm", effects.reason_code, paid.draw_id, paid.payment_id, std::string(subject), effects.detail},
        line_id, stamp);
}

struct HoldCause {
    std::string code;
    std::optional<std::int64_t> payment_id;
    std::optional<std::string> prenote;  // its trace number
};
#define HOLD_CAUSE "h.code, h.payment_id, (SELECT n.trace_number FROM prenote n WHERE n.prenote_id = h.prenote_id)"
std::string because(const HoldCause& cause) {
    return cause.code + (cause.payment_id ? " of payment " + disbursement::format_payment_id(*cause.payment_id)
                                          : " of prenote " + cause.prenote.value_or(""));
}

}  // namespace

std::string correction_of(Ledger& ledger, const Match& match) {
    if (match.confirmation.kind != ConfirmationKind::corrected) return {};
    const auto found = find_paid(ledger, match);
    return found ? reconciliation::effects_of(match, {}, found->payee.key).detail : std::string();
}

void apply_return_effects(Ledger& ledger, const Match& match, std::int64_t line_id, std::string_view subject,
                          const Stamp& stamp) {
    assert_in_transaction(ledger);
    const auto kind = match.confirmation.kind;
    if (kind != ConfirmationKind::returned && kind != ConfirmationKind::corrected) return;
    if (match.confirmation.amount_source == AmountSource::file)
        return pause_and_raise(ledger, reconciliation::effects_of(match, subject, {}), {}, line_id, subject, stamp);
    const auto found = find_paid(ledger, match);
    if (!found) return;
    const auto& paid = *found;
    const auto& code = match.confirmation.reason_code;
    if (kind == ConfirmationKind::corrected && is_proposed(ledger, paid, code)) return;
    if (reconciliation::is_return_again(match) && has_code(ledger, *match.payment_id, match.confirmation, line_id))
        return;
    const auto effects = reconciliation::effects_of(match, subject, paid.payee.key);
    insert_holds(ledger, paid, effects, code, line_id, stamp);
    if (effects.stop_case) insert_case_stop(ledger, paid, code, stamp);
    pause_and_raise(ledger, effects, paid, line_id, subject, stamp);
}

namespace {

// The return was not undone by the person who matched it to that payment.
#define STILL_HOLDS                                                                                        \
    "(NOT EXISTS (SELECT 1 FROM settlement u WHERE u.line_id = h.line_id AND u.payment_id = h.payment_id " \
    "AND u.undone_at IS NOT NULL) OR EXISTS (SELECT 1 FROM settlement u WHERE u.line_id = h.line_id "      \
    "AND u.payment_id = h.payment_id AND u.undone_at IS NULL))"

// A hold because the payee still has a field that the bank corrected.
std::optional<PaymentHold> correction_hold(Ledger& ledger, const disbursement::Payee& payee) {
    // Few payees have one, and a fingerprint costs more than this question.
    if (!Query(ledger, "SELECT 1 FROM payee_hold WHERE payee_key = ? AND is_return = 0 LIMIT 1", payee.key).next())
        return std::nullopt;
    const auto print = [&](PayeeField field) { return known_details_fingerprint(ledger, only(payee, field)); };
    Query query(ledger,
                R"sql(
        SELECT )sql" HOLD_CAUSE R"sql(, field
        FROM payee_hold h
        WHERE payee_key = ? AND is_return = 0 AND (payee_name = ? OR (field = 'routing_number' AND fingerprint = ?)
            OR (field = 'account_number' AND fingerprint = ?) OR (field = 'account_type' AND fingerprint = ?)) AND )sql" STILL_HOLDS
                " ORDER BY hold_id LIMIT 1",
                payee.key, payee.name, print(PayeeField::routing_number), print(PayeeField::account_number),
                print(PayeeField::account_type));
    if (!query.next()) return std::nullopt;
    auto [cause, field_of_hold] = query.row<HoldCause, std::optional<std::string>>();
    std::string field = field_of_hold.value_or("name");
    std::ranges::replace(field, '_', ' ');
    return PaymentHold{"correction_pending", "the bank corrected the " + field + " of payee '" + payee.key + "' (" +
                                                 because(cause) + "): put the correction into payees.csv"};
}

}  // namespace

std::optional<PaymentHold> payment_hold_for(Ledger& ledger, const disbursement::Payee& payee,
                                            std::optional<std::int64_t> case_id) {
    const auto account = known_account_fingerprint(ledger, payee);
    {
        Query query(ledger,
                    R"sql(
            SELECT s.code, s.payment_id, CAST(NULL AS TEXT)
            FROM case_stop s
            WHERE (s.case_id = ? OR s.payee_key IN (SELECT ? UNION
                    SELECT d.payee_key FROM payee_detail d WHERE d.account_fingerprint = ?))
                AND EXISTS (SELECT 1 FROM exception e
                WHERE e.payment_id = s.payment_id AND e.reason_code = 'case_stopped' AND e.closed_at IS NULL)
            LIMIT 1)sql",
                    case_id, payee.key, account);
        if (const auto cause = query.first<HoldCause>())
            return PaymentHold{"case_stopped", "nothing is paid for this case, payee or account since " +
                                                   because(*cause) +
                                                   ": resolve the exception 'case_stopped' about it first"};
    }
    if (const auto fingerprint = known_details_fingerprint(ledger, payee)) {
        Query query(ledger,
                    "SELECT " HOLD_CAUSE ", is_return FROM payee_hold h WHERE fingerprint IN (?, ?) AND " STILL_HOLDS
                    " ORDER BY is_return DESC, hold_id LIMIT 1",
                    *fingerprint, account);
        if (query.next()) {
            const auto [cause, is_return] = query.row<HoldCause, bool>();
            if (is_return)
                return PaymentHold{"account_blocked", "the bank rejects the account of payee '" + payee.key + "' (" +
                                                          because(cause) + "): put new bank details into payees.csv"};
            return PaymentHold{"correction_pending", "the bank corrected the account of payee '" + payee.key + "' (" +
                                                         because(cause) + "): put the correction into payees.csv"};
        }
    }
    return correction_hold(ledger, payee);
}

std::optional<PaymentHold> bank_reported_paid_hold(Ledger& ledger, DrawId id) {
    Query query(ledger,
                R"sql(
        SELECT e.payment_id, e.exception_id, l.kind
        FROM exception e
        CROSS JOIN line_exception c ON c.exception_id = e.exception_id
        CROSS JOIN confirmation_line l ON l.line_id = c.line_id
        WHERE e.draw_id = ?1 AND e.step = 'confirm' AND e.closed_at IS NULL AND )sql" MAY_BE_PAID
                R"sql(
        UNION ALL
        SELECT p.payment_id, e.exception_id, l.kind
        FROM payment p
        CROSS JOIN line_candidate k ON k.payment_id = p.payment_id
        CROSS JOIN line_exception c ON c.line_id = k.line_id
        CROSS JOIN exception e ON e.exception_id = c.exception_id
        CROSS JOIN confirmation_line l ON l.line_id = k.line_id
        WHERE p.draw_id = ?1 AND e.closed_at IS NULL AND )sql" MAY_BE_PAID " ORDER BY 2 LIMIT 1",
                id);
    if (!query.next()) return std::nullopt;
    const auto [payment_id, exception_id, kind] = query.row<std::int64_t, std::int64_t, ConfirmationKind>();
    return PaymentHold{std::string(disbursement::reason::bank_says_paid),
                       "a bank line reports payment " + disbursement::format_payment_id(payment_id) +
                           " of this draw as " + std::string(to_string(kind)) + " (exception " +
                           std::to_string(exception_id) +
                           "): it is not paid again until a person resolves that exception"};
}

std::optional<PaymentHold> acknowledged_void_hold(Ledger& ledger, DrawId id) {
    Query query(ledger, "SELECT file_name, exception_id FROM acknowledged_void WHERE draw_id = ? LIMIT 1", id);
    if (!query.next()) return std::nullopt;
    const auto [file, exception_id] = query.row<std::string, std::int64_t>();
    return PaymentHold{std::string(disbursement::reason::bank_says_paid),
                       "the bank acknowledges " + file + ", which was voided and pays this draw (exception " +
                           std::to_string(exception_id) +
                           "): it is not paid again until a person resolves that exception"};
}

bool is_reissued(Ledger& ledger, DrawId id) {
    return Query(ledger, "SELECT 1 FROM reissue_order WHERE draw_id = ? LIMIT 1", id).next();
}

std::unordered_map<DrawId, LastPayment> last_payments(Ledger& ledger, const std::vector<DrawId>& ids, FileId before) {
    Query query(ledger,
                R"sql(
        SELECT p.draw_id, p.payment_id, p.ended_at IS NOT NULL, p.amount_cents, p.reading_id, o.reading_id,
            CASE WHEN o.order_id IS NOT NULL THEN (SELECT max(a.reading_id) FROM reading a WHERE a.draw_id = p.draw_id
                AND a.status = 5 AND a.reading_id <= o.reading_id) END
        FROM payment p
        LEFT JOIN reissue_order o ON o.payment_id = p.payment_id
        WHERE (SELECT f.voided_at FROM payment_file f WHERE f.file_id = p.file_id) IS NULL AND p.file_id < ?
            AND p.draw_id IN )sql" LISTED_IDS,
                before, id_list(ids));
    std::unordered_map<DrawId, LastPayment> last;
    while (query.next()) {
        const auto [draw_id, payment] = query.row<DrawId, LastPayment>();
        auto& known = last[draw_id];
        if (payment.payment_id > known.payment_id) known = payment;
    }
    return last;
}

static std::optional<LastPayment> last_payment(Ledger& ledger, DrawId id, FileId before = every_file) {
    const auto found = last_payments(ledger, {id}, before);
    return found.empty() ? std::nullopt : std::optional(found.begin()->second);
}

Result<Reissue> check_reissue(Ledger& ledger, DrawId id, const disbursement::PayeeDirectory& payees) {
    if (auto done = check_not_recording(ledger); !done) return std::unexpected(done.error());
    const std::string name = "draw " + std::to_string(id);
    const auto last = last_payment(ledger, id);
    if (!last) return fail(ErrorCode::not_found, name + " has no payment that could be paid again");
    if (!last->has_ended) {
        return fail(ErrorCode::conflict, name + " has a payment on its way (" +
                                             disbursement::format_payment_id(last->payment_id) +
                                             "): it can be paid again only after that payment is returned or voided");
    }
    if (last->ordered_after) return fail(ErrorCode::conflict, name + " is already ordered to be paid again");
    const auto bad = find_paid(ledger, last->payment_id);
    if (const auto* payee = payees.find(bad.payee.key)) {
        if (const auto hold = payment_hold_for(ledger, *payee, bad.case_id)) {
            return fail(ErrorCode::conflict, name + " is not paid again yet: " + hold->detail);
        }
    }
    if (auto vouched = check_reissue_evidence(ledger, id, last->payment_id); !vouched)
        return std::unexpected(vouched.error());
    return Reissue{last->payment_id, last->amount, bad.payee.key};
}

Result<std::int64_t> order_reissue(Ledger& ledger, DrawId id, const disbursement::PayeeDirectory& payees,
                                   std::string_view reason, const Stamp& stamp) {
    assert_in_transaction(ledger);
    const auto again = check_reissue(ledger, id, payees);
    if (!again) return std::unexpected(again.error());
    if (auto left = check_leaves_releaser(ledger, {id}, stamp); !left) return std::unexpected(left.error());
    Query(ledger,
          R"sql(
        INSERT INTO reissue_order (draw_id, payment_id, reading_id, ordered_at, ordered_by, reason)
        VALUES (?1, ?2, (SELECT reading_id FROM draw WHERE draw_id = ?1), ?3, ?4, ?5))sql",
          id, again->payment_id, stamp.at, stamp.actor, reason)
        .run();
    record_maker_act(ledger, MakerAct::reissued, {.draw = id}, stamp);
    audit(ledger, stamp, "draw.reissue_ordered", "draw " + std::to_string(id),
          "after payment " + disbursement::format_payment_id(again->payment_id) + ": " + std::string(reason));
    for (const char* code : {"returned", "returned_after_paid", "voided", "check_voided", "check_stopped"})
        close_exceptions_of_payment(ledger, again->payment_id, code, "to be paid again: " + std::string(reason), stamp);
    return again->payment_id;
}

std::optional<Money> open_reissue(const std::optional<LastPayment>& last) {
    if (!last || !last->has_ended || !last->ordered_after) return std::nullopt;
    return last->amount;
}

std::optional<Money> open_reissue(Ledger& ledger, DrawId id, FileId before) {
    return open_reissue(last_payment(ledger, id, before));
}

}  // namespace drawbridge::ledger
