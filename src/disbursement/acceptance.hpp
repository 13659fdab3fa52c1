// The checks on a single payment, one after the other. Private to this module.
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
// The payee's check cannot be listed in the bank's columns.
[[nodiscard]] std::optional<Refusal> fault_in_check(const Payee& payee, Money amount, const PlanSettings& settings);
// The remittance text in the characters that banks accept, without spaces at the ends.
[[nodiscard]] Result<std::string> bank_text(std::string_view remittance);
// The service shows that somebody else paid the draw, and no person allowed exactly that.
[[nodiscard]] std::optional<Refusal> fault_in_history(const Payable& payable);
// The prenote check: an account that waits for its prenote or failed it. For `needed`, the planner acts.
[[nodiscard]] std::optional<Refusal> fault_in_account(const Payable& payable, const Payee& payee,
                                                      const PlanSettings& settings);
// The guards that only look at this draw.
[[nodiscard]] std::optional<Refusal> check_guards(const Payable& payable, const Payee& payee,
                                                  const PlanSettings& settings, Instant now);
[[nodiscard]] bool is_lifted(const Payable& payable, const Refusal& refusal);

}  // namespace drawbridge::disbursement
