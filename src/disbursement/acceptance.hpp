// What stands in the way of a payment, one question after the other. Private to this module.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "drawbridge/disbursement/plan.hpp"

namespace drawbridge::disbursement {

using Refusal = std::pair<std::string_view, std::string>;  // reason code and detail

[[nodiscard]] std::optional<Refusal> fault_in_amount(const Payable& payable);
[[nodiscard]] std::optional<Refusal> fault_in_payee(const Payee& payee, const PlanSettings& settings);
// The remittance text in the characters that banks read, without blanks at its ends.
[[nodiscard]] Result<std::string> bank_text(std::string_view remittance);
// The service shows that somebody else paid the draw, and no person let just that pass.
[[nodiscard]] std::optional<Refusal> fault_in_history(const Payable& payable);
// The prenote's say: an account that is being tried out, or failed. `needed` is the planner's to act on.
[[nodiscard]] std::optional<Refusal> fault_in_account(const Payable& payable, const Payee& payee,
                                                      const PlanSettings& settings);
// The guards that look at this draw alone.
[[nodiscard]] std::optional<Refusal> guard_against(const Payable& payable, const Payee& payee,
                                                   const PlanSettings& settings, BusinessDate today);
[[nodiscard]] bool is_lifted(const Payable& payable, const Refusal& refusal);

}  // namespace drawbridge::disbursement
