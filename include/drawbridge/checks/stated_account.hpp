// Compares the account number that a bank's file states with ours: banks pad, group and mask it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/bank_numbers.hpp"

namespace drawbridge::checks {

// Without spaces, hyphens and leading zeros.
[[nodiscard]] std::string bare_account(std::string_view stated);

// Ignores spaces, hyphens, leading zeros and a name after the number ("4400123456 - CHECKING"). Of a masked number
// ("XXXX3456", "XXXX-XX-3456", "...3456", "ending in ..3456", "44XXXX3456") the digits after the mask must be our last
// ones, at least three, and those before it our first ones.
[[nodiscard]] bool is_same_account(std::string_view stated, const AccountNumber& ours);
// Whether enough is left of it to say whose it is: at least three digits, not rounded by a spreadsheet ("4.40012E+09").
[[nodiscard]] bool is_legible_account(std::string_view stated);
inline constexpr const char* not_legible = " has fewer than three digits, or was rounded by a spreadsheet";
// Whether it is one of these. None are given: true.
[[nodiscard]] bool is_any_account(std::string_view stated, const std::vector<AccountNumber>& ours);

}  // namespace drawbridge::checks
