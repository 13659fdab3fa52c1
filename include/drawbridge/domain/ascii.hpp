// Letters, digits and spaces of ASCII, regardless of the process's locale.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace drawbridge {

constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
constexpr bool is_upper(char c) {
    return c >= 'A' && c <= 'Z';
}
constexpr bool is_lower(char c) {
    return c >= 'a' && c <= 'z';
}
constexpr bool is_letter_or_digit(char c) {
    return is_digit(c) || is_upper(c) || is_lower(c);
}
constexpr char to_lower(char c) {
    return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}
constexpr char to_upper(char c) {
    return is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c;
}

// True for an empty text.
constexpr bool all_digits(std::string_view text) {
    return std::ranges::all_of(text, is_digit);
}
constexpr bool is_number(std::string_view text) {
    return !text.empty() && all_digits(text);
}

inline std::string lowercase(std::string_view text) {
    std::string lowered(text);
    for (char& c : lowered)
        c = to_lower(c);
    return lowered;
}
inline std::string uppercase(std::string_view text) {
    std::string raised(text);
    for (char& c : raised)
        c = to_upper(c);
    return raised;
}
// Without these characters at either end.
constexpr std::string_view trimmed(std::string_view text, std::string_view blanks = " ") {
    const auto first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace drawbridge
