// Payments that are open, lines of a bank about them, and what matching makes of each line.
#pragma once

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "drawbridge/reconciliation/match.hpp"

namespace drawbridge::reconciliation {

inline constexpr BusinessDate made = std::chrono::year(2026) / 3 / 2;
inline constexpr BusinessDate today = std::chrono::year(2026) / 3 / 10;
inline constexpr auto paid = ConfirmationKind::paid;
inline constexpr auto returned = ConfirmationKind::returned;
inline constexpr auto voided = ConfirmationKind::voided;

inline BusinessDate march(unsigned day) {
    return std::chrono::year(2026) / 3 / std::chrono::day(day);
}

inline OpenPayment ach(std::int64_t id) {
    return {.payment_id = id,
            .payment_id_text = "P000000000" + std::to_string(id),
            .trace_number = "09100001000000" + std::to_string(id),
            .check_number = std::nullopt,
            .amount = Money::from_cents(125'000),
            .released_on = made,
            .settled_as = std::nullopt,
            .settled_on = std::nullopt,
            .unsent_because = "",
            .paid_on = std::nullopt};
}

inline OpenPayment check(std::int64_t id, std::int64_t number) {
    OpenPayment payment = ach(id);
    payment.trace_number.reset();
    payment.check_number = number;
    return payment;
}

inline OpenPayment settled(OpenPayment payment, ConfirmationKind kind, BusinessDate on) {
    payment.settled_as = kind;
    payment.settled_on = on;
    return payment;
}

inline Confirmation line(std::string reference, ConfirmationKind kind = paid, unsigned day = 4,
                         std::int64_t cents = 125'000) {
    return {.line = 0,
            .payment_reference = std::move(reference),
            .kind = kind,
            .amount = Money::from_cents(cents),
            .date = march(day)};
}

// Numbers the lines as in a file.
inline std::vector<Match> match_file(std::vector<Confirmation> lines, const std::vector<OpenPayment>& payments) {
    for (std::size_t i = 0; i < lines.size(); ++i)
        lines[i].line = static_cast<std::int64_t>(i) + 2;
    return match(lines, PaymentIndex(payments), today);
}

// "outcome reason" for each line, in file order.
inline std::vector<std::string> outcomes(std::vector<Confirmation> lines, const std::vector<OpenPayment>& payments) {
    std::vector<Match> matches = match_file(std::move(lines), payments);
    std::ranges::sort(matches, {}, [](const Match& m) { return m.confirmation.line; });
    std::vector<std::string> shown;
    for (const Match& m : matches)
        shown.push_back(std::string(to_string(m.outcome)) + (m.reason_code.empty() ? "" : " " + m.reason_code));
    return shown;
}

using Outcomes = std::vector<std::string>;

}  // namespace drawbridge::reconciliation
