// US dollars in whole cents. Never built from floating point, never rounded, never negative on input.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "drawbridge/domain/error.hpp"

namespace drawbridge {

class Money {
  public:
    constexpr Money() = default;
    [[nodiscard]] static constexpr Money from_cents(std::int64_t cents) { return Money(cents); }

    // Reads decimal text: digits, at most one decimal point, at most two significant decimals ("12", "12.5", "12.50"
    // and "12.500", but not "12.505"), and an exponent as in JSON ("1.25e3"). Everything else is an error: a sign, a
    // third decimal, an overflow.
    [[nodiscard]] static Result<Money> parse(std::string_view decimal);

    [[nodiscard]] constexpr std::int64_t cents() const { return cents_; }
    [[nodiscard]] constexpr bool is_zero() const { return cents_ == 0; }

    // Overflowing 64 bits of cents is a bug in the caller: asserted.
    [[nodiscard]] Money operator+(Money other) const;
    [[nodiscard]] Money operator-(Money other) const;  // may be negative: a difference, not an amount
    Money& operator+=(Money other);

    // "1234.50": plain decimal, for files and JSON.
    [[nodiscard]] std::string to_string() const;
    // "$1,234.50": for people.
    [[nodiscard]] std::string to_display() const;

    friend constexpr auto operator<=>(Money, Money) = default;

  private:
    explicit constexpr Money(std::int64_t cents) : cents_(cents) {}
    std::int64_t cents_ = 0;
};

}  // namespace drawbridge
