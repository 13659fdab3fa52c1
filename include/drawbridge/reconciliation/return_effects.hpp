// What the code of a return or of a notification of change causes beyond the payment itself: holds on the payee's bank
// details, a stop of the case, a pause of all money movement, a question to a person. Whether the payment came back is
// decided by match.hpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/time.hpp"
#include "drawbridge/nacha/return_codes.hpp"
#include "drawbridge/reconciliation/match.hpp"

namespace drawbridge::reconciliation {

struct ReturnEffects {
    // Nothing more is paid to this account: until the payee has another one, or, with `apply_by`, until the payee has
    // the corrected one.
    bool hold_account = false;
    // However the account is written. Otherwise, another spelling or type of it may be the right one.
    bool holds_every_spelling = false;
    // Nothing more is paid to this payee while the payee's record has the present value of one of these fields.
    std::vector<nacha::PayeeField> hold_fields = {};
    // For a notification of change: when its correction must be applied (Nacha: six banking days).
    std::optional<BusinessDate> apply_by = {};
    bool stop_case = false;          // nothing more is paid for this case or payee
    std::string pause_because = {};  // not empty: all money movement is paused
    std::string reason_code = {};    // of the exception for a person; empty: none
    std::string detail = {};
};

// Whether the line is another return of a payment about which the bank has reported already. It changes nothing about
// the payment, but it may be the first with a code that matters: its effects count if no other line gave the payment
// that code.
[[nodiscard]] bool is_return_again(const Match& match);

// `subject` names the line, `payee_key` the payee of the matched payment or prenote. Only an applied return, another
// return (is_return_again), the rejection of a whole file or batch as a duplicate, and a recorded notification of
// change have effects, and only with a code that the Nacha rules know.
[[nodiscard]] ReturnEffects effects_of(const Match& match, std::string_view subject, std::string_view payee_key);

}  // namespace drawbridge::reconciliation
