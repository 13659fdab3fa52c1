#include "drawbridge/domain/bank_numbers.hpp"

#include <algorithm>

#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/domain/assert.hpp"

namespace drawbridge {
namespace {

bool is_account_character(char c) {
    return is_letter_or_digit(c) || c == '-';
}

}  // namespace

char RoutingNumber::check_digit(std::string_view first_eight) {
    DRAWBRIDGE_ASSERT(first_eight.size() == 8 && all_digits(first_eight), "expected eight digits");
    constexpr int weights[] = {3, 7, 1, 3, 7, 1, 3, 7};
    int sum = 0;
    for (std::size_t i = 0; i < 8; ++i)
        sum += weights[i] * (first_eight[i] - '0');
    return static_cast<char>('0' + (10 - sum % 10) % 10);
}

Result<RoutingNumber> RoutingNumber::parse(std::string_view text) {
    if (text.size() != 9 || !all_digits(text)) {
        return fail(ErrorCode::invalid_input,
                    "'" + std::string(text.substr(0, 20)) + "' is not a routing number: it must be nine digits");
    }
    if (text == "000000000")
        return fail(ErrorCode::invalid_input, "routing number 000000000 is not assigned to a bank");
    const char expected = check_digit(text.substr(0, 8));
    if (text[8] != expected) {
        return fail(ErrorCode::invalid_input, "routing number " + std::string(text) + " has check digit " + text[8] +
                                                  ", but its first eight digits give " + expected +
                                                  ": a digit is wrong, or two are swapped");
    }
    return RoutingNumber(std::string(text));
}

// The message never contains the text of a bad account number: it may be a real one with one wrong character.
Result<AccountNumber> AccountNumber::parse(std::string_view text) {
    if (text.empty()) return fail(ErrorCode::invalid_input, "the account number is empty");
    if (text.size() > 17) {
        return fail(ErrorCode::invalid_input,
                    "the account number has " + std::to_string(text.size()) + " characters: a NACHA entry allows 17");
    }
    const auto bad = std::ranges::find_if_not(text, is_account_character);
    if (bad != text.end()) {
        return fail(ErrorCode::invalid_input, "character " + std::to_string(bad - text.begin() + 1) +
                                                  " of the account number is not a digit, a letter or a hyphen");
    }
    if (text.find_first_not_of("0-") == std::string_view::npos) {
        return fail(ErrorCode::invalid_input, "the account number is all zeros");
    }
    return AccountNumber(std::string(text));
}

std::string AccountNumber::masked() const {
    const std::string& text = reveal();
    const std::size_t shown = std::min<std::size_t>(4, text.size() / 2);
    return "****" + text.substr(text.size() - shown);
}

}  // namespace drawbridge
