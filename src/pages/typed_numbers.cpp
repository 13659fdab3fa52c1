#include "typed_numbers.hpp"

#include <string>

#include "drawbridge/domain/ascii.hpp"

namespace drawbridge::pages {
namespace {

constexpr std::size_t max_digits = 15;  // a script has no larger whole numbers

std::unexpected<Error> refuse(std::string_view typed, std::string_view hint) {
    return fail(ErrorCode::invalid_input, "'" + std::string(typed.substr(0, 40)) + "' is " + std::string(hint));
}

// Empty: commas elsewhere than between thousands, or something that is no digit.
std::string digits_of(std::string_view typed) {
    const bool has_commas = typed.contains(',');
    std::string digits;
    for (std::size_t at = 0; at < typed.size(); ++at) {
        const bool parts = has_commas && at > 0 && (typed.size() - at) % 4 == 0;
        if (parts ? typed[at] != ',' : !is_digit(typed[at])) return {};
        if (!parts) digits += typed[at];
    }
    return digits.size() <= max_digits ? digits : std::string();
}

}  // namespace

Result<std::int64_t> read_typed_number(std::string_view typed) {
    const std::string digits = digits_of(trimmed(typed));
    if (digits.empty()) return refuse(typed, "not a whole number: write it like 1370 or 1,370");
    return std::stoll(digits);
}

Result<Money> read_typed_amount(std::string_view typed) {
    auto plain = trimmed(typed);
    if (plain.starts_with('$')) plain.remove_prefix(1);
    const auto point = plain.find('.');
    const std::string dollars = digits_of(plain.substr(0, point));
    const auto cents = point == std::string_view::npos ? std::string_view("0") : plain.substr(point + 1);
    const bool has_cents = cents.size() <= 2 && !digits_of(cents).empty() && !cents.contains(',');
    if (dollars.empty() || !has_cents) return refuse(typed, "not an amount: write it like 1234.50 or $1,234.50");
    return Money::parse(dollars + "." + std::string(cents));
}

}  // namespace drawbridge::pages
