#include "rendered_values.hpp"

#include "drawbridge/nacha/transliterate.hpp"

namespace drawbridge::disbursement {

Result<std::string> bank_name(const PlannedPayment& payment) {
    auto name = nacha::transliterate(payment.payee.name);
    if (name) return name;
    return fail(ErrorCode::invalid_input,
                "payment " + format_payment_id(payment.payment_id) + ": the payee's name: " + name.error().message);
}

Result<checks::CheckIssue> issue_of(const PlannedPayment& payment) {
    if (!payment.check_number || !payment.check_date) {
        return fail(ErrorCode::invalid_input,
                    "payment " + format_payment_id(payment.payment_id) + " lacks a check number or a check date");
    }
    auto name = bank_name(payment);
    if (!name) return std::unexpected(name.error());
    return checks::CheckIssue{.action = payment.check_action,
                              .check_number = *payment.check_number,
                              .check_date = *payment.check_date,
                              .amount = payment.amount,
                              .payee_name = std::move(*name),
                              .payment_reference = format_payment_id(payment.payment_id)};
}

}  // namespace drawbridge::disbursement
