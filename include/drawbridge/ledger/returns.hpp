// What the codes of returns and notifications of change set in motion, what they hold back from then on, and the order
// to pay again what came back.
//
// It never decides whether a payment came back: that is reconciliation's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "drawbridge/disbursement/payees.hpp"
#include "drawbridge/domain/draw.hpp"
#include "drawbridge/ledger/ledger.hpp"
#include "drawbridge/ledger/payments.hpp"
#include "drawbridge/reconciliation/match.hpp"

namespace drawbridge::ledger {

// A bad account is held from now on, a case stopped, all money movement paused, a correction proposed; with its
// exception. Only for a return that was applied, and for a notification of change.
void act_on_code(Ledger& ledger, const reconciliation::Match& match, std::int64_t line_id, std::string_view subject,
                 const Stamp& stamp);

// Why nothing may be paid to this payee, with its present details, or for this case.
struct PaymentHold {
    std::string reason_code;  // account_blocked, correction_pending, case_stopped, bank_says_paid
    std::string detail;
};
[[nodiscard]] std::optional<PaymentHold> payment_hold_for(Ledger& ledger, const disbursement::Payee& payee,
                                                          std::optional<std::int64_t> case_id);

// The bank says that a payment of the draw was paid, and that could not be applied to it: nothing more is paid while
// the case is open.
[[nodiscard]] std::optional<PaymentHold> bank_reported_paid_hold(Ledger& ledger, DrawId id);

// Whether a payment of the draw was ever ordered to be made again: it may be paid though the service shows it as
// Disbursed.
[[nodiscard]] bool is_reissued(Ledger& ledger, DrawId id);

// A person orders that the draw be paid again; its cases about the return are closed. Errors: the draw has no payment,
// its last one has not ended, it was ordered already, the payee has still the details that were bad.
[[nodiscard]] Result<std::int64_t> order_reissue(Ledger& ledger, DrawId id, const disbursement::PayeeDirectory& payees,
                                                 std::string_view reason, const Stamp& stamp);
// The amount of the payment that came back, where paying again was ordered and no file before `before` does it.
[[nodiscard]] std::optional<Money> open_reissue(Ledger& ledger, DrawId id, FileId before = every_file);

}  // namespace drawbridge::ledger
