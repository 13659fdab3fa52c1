// The holds that returns and notifications of change leave, and the order to pay a returned draw again. The
// reconciliation module decides what a return means.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "drawbridge/disbursement/payees.hpp"
#include "drawbridge/domain/draw.hpp"
#include "drawbridge/ledger/facts/draws.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/ledger/store/ledger.hpp"
#include "drawbridge/reconciliation/match.hpp"

namespace drawbridge::ledger {

// Records what the code of an applied return or of a notification of change causes (reconciliation/return_effects.hpp):
// holds, a stopped case, a pause, and the exception for a person.
void apply_return_effects(Ledger& ledger, const reconciliation::Match& match, std::int64_t line_id,
                          std::string_view subject, const Stamp& stamp);

// What the bank corrects, and what to do; empty: the line is no notification of change about a payment or prenote of
// ours.
[[nodiscard]] std::string correction_of(Ledger& ledger, const reconciliation::Match& match);

// Why nothing may be paid to this payee with its present details, or for this case.
struct PaymentHold {
    std::string reason_code;  // account_blocked, correction_pending, case_stopped, bank_says_paid
    std::string detail;
};
[[nodiscard]] std::optional<PaymentHold> payment_hold_for(Ledger& ledger, const disbursement::Payee& payee,
                                                          std::optional<std::int64_t> case_id);

// The bank reported a payment of the draw as paid, but the line could not be applied to it. The draw is not paid while
// that exception is open.
[[nodiscard]] std::optional<PaymentHold> bank_reported_paid_hold(Ledger& ledger, DrawId id);
// While the bank says that it has a voided file with a payment of this draw.
[[nodiscard]] std::optional<PaymentHold> acknowledged_void_hold(Ledger& ledger, DrawId id);

// True: a reissue of the draw was ever ordered, so it may be paid although the service shows it as Disbursed.
[[nodiscard]] bool is_reissued(Ledger& ledger, DrawId id);

// What a reissue would pay: the amount of the payment that came back, and whose key it went to.
struct Reissue {
    std::int64_t payment_id = 0;  // that came back
    Money amount;
    std::string payee_key;
};
// Errors: as order_reissue().
[[nodiscard]] Result<Reissue> check_reissue(Ledger& ledger, DrawId id, const disbursement::PayeeDirectory& payees);
// A person orders the draw to be paid again; this closes the exceptions about the return. Errors: the draw has no
// payment, its last payment has not ended, the reissue is already ordered, or the payee still has the rejected details.
[[nodiscard]] Result<std::int64_t> order_reissue(Ledger& ledger, DrawId id, const disbursement::PayeeDirectory& payees,
                                                 std::string_view reason, const Stamp& stamp);
// The last payment of a draw. Only files that were not voided and were planned before `before` count.
struct LastPayment {
    std::int64_t payment_id = 0;
    bool has_ended = false;
    Money amount;
    ReadingId reading_id = 0;  // that the payment is based on
    // The draw's newest one when it was ordered to be paid again. nullopt: it was not.
    std::optional<ReadingId> ordered_after;
    // The newest that showed the draw as Disbursed when that was ordered.
    std::optional<ReadingId> disbursed_then;
};
[[nodiscard]] std::unordered_map<DrawId, LastPayment> last_payments(Ledger& ledger, const std::vector<DrawId>& ids,
                                                                    FileId before = every_file);
// The amount of the payment that came back, if a reissue was ordered and no file before `before` pays it.
[[nodiscard]] std::optional<Money> open_reissue(const std::optional<LastPayment>& last);
[[nodiscard]] std::optional<Money> open_reissue(Ledger& ledger, DrawId id, FileId before = every_file);

}  // namespace drawbridge::ledger
