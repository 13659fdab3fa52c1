// The two numbers that identify where money goes: ABA routing number and account number.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/domain/secret.hpp"

namespace drawbridge {

// Nine digits. With weights 3 7 1 repeated, the weighted sum is a multiple of 10 (NACHA entry detail 4-11 and 12).
class RoutingNumber {
  public:
    [[nodiscard]] static Result<RoutingNumber> parse(std::string_view text);
    // The check digit for the first eight digits (the caller passes digits only).
    [[nodiscard]] static char check_digit(std::string_view first_eight);

    [[nodiscard]] const std::string& to_string() const { return digits_; }
    // First eight digits: RDFI / ODFI identification.
    [[nodiscard]] std::string_view identification() const { return std::string_view(digits_).substr(0, 8); }
    friend auto operator<=>(const RoutingNumber&, const RoutingNumber&) = default;

  private:
    explicit RoutingNumber(std::string digits) : digits_(std::move(digits)) {}
    std::string digits_;
};

// 1 to 17 characters of 0-9 A-Z a-z and hyphen (NACHA entry detail 13-29). It has no formatter and no to_string on
// purpose: show masked() only. The memory is wiped on destruction.
class AccountNumber {
  public:
    [[nodiscard]] static Result<AccountNumber> parse(std::string_view text);

    // "****6789": at most the last four digits, and never more than half of the number.
    [[nodiscard]] std::string masked() const;
    // For payment files and the ledger only.
    [[nodiscard]] const std::string& reveal() const { return text_.reveal(); }
    friend bool operator==(const AccountNumber& a, const AccountNumber& b) { return a.reveal() == b.reveal(); }
    friend auto operator<=>(const AccountNumber& a, const AccountNumber& b) { return a.reveal() <=> b.reveal(); }

  private:
    explicit AccountNumber(std::string text) : text_(std::move(text)) {}
    Secret text_;
};

}  // namespace drawbridge
