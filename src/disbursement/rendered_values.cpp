#include "rendered_values.hpp"

#include "drawbridge/nacha/transliterate.hpp"

namespace drawbridge::disbursement {

Result<std::string> bank_name(const Payee& payee, const std::string& who) {
    auto name = nacha::transliterate(payee.name);
    if (name) return name;
    return fail(ErrorCode::invalid_input, who + ": the payee's name: " + name.error().message);
}

Result<std::string> bank_name(const PlannedPayment& payment) {
    return bank_name(payment.payee, "payment " + format_payment_id(payment.payment_id));
}

std::vector<std::string> addenda_texts(const PlannedPayment& payment) {
    constexpr std::size_t width = 80, max_addenda = 9999;
    const std::size_t allowed = payment.payee.sec_code == SecCode::ctx ? max_addenda : 1;
    std::vector<std::string> texts;
    for (std::size_t at = 0; at < payment.remittance.size() && texts.size() < allowed; at += width)
        texts.push_back(payment.remittance.substr(at, width));
    return texts;
}

Result<checks::CheckIssue> issue_of(const PlannedPayment& payment) {
    if (!payment.check_number || !payment.check_date) {
        return fail(ErrorCode::invalid_input,
                    "payment " + format_payment_id(payment.payment_id) + " has no check number or no check date");
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
