#include "drawbridge/domain/money.hpp"

#include <charconv>
#include <limits>

#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/domain/assert.hpp"

namespace drawbridge {
namespace {

std::unexpected<Error> refuse(std::string_view text, std::string_view why) {
    return fail(ErrorCode::invalid_input,
                "'" + std::string(text.substr(0, 40)) + "' is not an amount in dollars and cents: " + std::string(why));
}

// The digits of the number without its decimal point, and how many of them follow the point (negative: zeros to
// append).
struct Decimal {
    std::string digits;
    int decimals = 0;
};

Result<Decimal> read_decimal(std::string_view text) {
    Decimal decimal;
    std::size_t at = 0;
    while (at < text.size() && is_digit(text[at]))
        decimal.digits += text[at++];
    if (decimal.digits.empty()) return refuse(text, "it must begin with a digit");
    if (at < text.size() && text[at] == '.') {
        const std::size_t before = ++at;
        while (at < text.size() && is_digit(text[at]))
            decimal.digits += text[at++];
        if (at == before) return refuse(text, "a digit must follow the decimal point");
        decimal.decimals = static_cast<int>(at - before);
    }
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
        ++at;
        const bool plus = at < text.size() && text[at] == '+';
        if (plus) ++at;
        if (plus && at < text.size() && text[at] == '-') return refuse(text, "its exponent cannot be read");
        int exponent = 0;
        const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), exponent);
        if (error != std::errc() || exponent > 30 || exponent < -30) return refuse(text, "its exponent cannot be read");
        at = static_cast<std::size_t>(end - text.data());
        decimal.decimals -= exponent;
    }
    if (at != text.size()) return refuse(text, "write it like 1234.50, without sign, currency or separators");
    return decimal;
}

}  // namespace

Result<Money> Money::parse(std::string_view text) {
    if (text.size() > 60) return refuse(text, "it is too long");
    auto read = read_decimal(text);
    if (!read) return std::unexpected(read.error());
    Decimal& decimal = *read;
    while (decimal.decimals > 2 && decimal.digits.size() > 1 && decimal.digits.back() == '0') {
        decimal.digits.pop_back();
        --decimal.decimals;
    }
    if (decimal.digits.find_first_not_of('0') == std::string::npos) return Money();
    if (decimal.decimals > 2) return refuse(text, "it has more than two decimal places");
    decimal.digits.append(static_cast<std::size_t>(2 - decimal.decimals), '0');
    std::int64_t cents = 0;
    const char* last = decimal.digits.data() + decimal.digits.size();
    const auto [end, error] = std::from_chars(decimal.digits.data(), last, cents);
    if (error != std::errc() || end != last) return refuse(text, "it is too large");
    return Money(cents);
}

Money Money::operator+(Money other) const {
    std::int64_t sum = 0;
    DRAWBRIDGE_ASSERT(!__builtin_add_overflow(cents_, other.cents_, &sum), "sum of amounts overflows");
    return Money(sum);
}

Money Money::operator-(Money other) const {
    std::int64_t difference = 0;
    DRAWBRIDGE_ASSERT(!__builtin_sub_overflow(cents_, other.cents_, &difference), "difference of amounts overflows");
    return Money(difference);
}

Money& Money::operator+=(Money other) {
    return *this = *this + other;
}

std::string Money::to_string() const {
    const bool negative = cents_ < 0;
    const std::uint64_t absolute =
        negative ? 0 - static_cast<std::uint64_t>(cents_) : static_cast<std::uint64_t>(cents_);
    std::string fraction = std::to_string(absolute % 100);
    if (fraction.size() < 2) fraction.insert(0, "0");
    return (negative ? "-" : "") + std::to_string(absolute / 100) + "." + fraction;
}

std::string Money::to_display() const {
    std::string plain = to_string();
    const bool negative = plain.starts_with('-');
    if (negative) plain.erase(0, 1);
    for (std::size_t at = plain.size() - 3; at > 3; at -= 3)
        plain.insert(at - 3, ",");
    return (negative ? "-$" : "$") + plain;
}

}  // namespace drawbridge
