#include "drawbridge/text/date_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>

#include "drawbridge/domain/ascii.hpp"

namespace drawbridge::text {
namespace {

constexpr std::array<std::string_view, 12> month_names = {"jan", "feb", "mar", "apr", "may", "jun",
                                                          "jul", "aug", "sep", "oct", "nov", "dec"};
constexpr std::array<std::string_view, 7> tokens = {"YYYY", "YY", "MON", "MM", "M", "DD", "D"};

// Empty: a separator.
std::string_view token_at(std::string_view pattern) {
    for (const std::string_view token : tokens) {
        if (pattern.starts_with(token)) return token;
    }
    return {};
}

std::optional<int> take_number(std::string_view& text, std::size_t min_digits, std::size_t max_digits) {
    std::size_t length = 0;
    int value = 0;
    while (length < max_digits && length < text.size() && is_digit(text[length]))
        value = value * 10 + (text[length++] - '0');
    if (length < min_digits) return std::nullopt;
    text.remove_prefix(length);
    return value;
}

std::optional<int> take_month_name(std::string_view& text) {
    const auto* const found = std::ranges::find(month_names, lowercase(text.substr(0, 3)));
    if (found == month_names.end()) return std::nullopt;
    text.remove_prefix(3);
    return static_cast<int>(found - month_names.begin()) + 1;
}

std::optional<int> take(std::string_view& text, std::string_view token) {
    if (token == "YYYY") return take_number(text, 4, 4);
    if (token == "MON") return take_month_name(text);
    return take_number(text, token.size(), 2);
}

// Whether year, month and day are there once each, by tokens and separators that are allowed.
template <class IsToken, class IsSeparator>
bool has_each_once(std::string_view pattern, IsToken is_token, IsSeparator is_separator) {
    int years = 0, months = 0, days = 0;
    while (!pattern.empty()) {
        const std::string_view token = token_at(pattern);
        if (token.empty() ? !is_separator(pattern.front()) : !is_token(token)) return false;
        if (token.starts_with('Y')) ++years;
        if (token.starts_with('M')) ++months;
        if (token.starts_with('D')) ++days;
        pattern.remove_prefix(std::max<std::size_t>(1, token.size()));
    }
    return years == 1 && months == 1 && days == 1;
}

}  // namespace

bool is_date_pattern(std::string_view pattern) {
    return has_each_once(
        pattern, [](std::string_view) { return true; },
        [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; });
}

bool is_fixed_date_pattern(std::string_view pattern) {
    return has_each_once(
        pattern, [](std::string_view token) { return token.size() != 1 && token != "MON"; },
        [](char c) { return std::string_view("-/. ").find(c) != std::string_view::npos; });
}

std::optional<BusinessDate> parse_date_as(std::string_view text, std::string_view pattern) {
    int year = 0, month = 0, day = 0;
    while (!pattern.empty()) {
        const std::string_view token = token_at(pattern);
        if (token.empty()) {
            if (!text.starts_with(pattern.front())) return std::nullopt;
            text.remove_prefix(1);
            pattern.remove_prefix(1);
            continue;
        }
        const auto value = take(text, token);
        if (!value) return std::nullopt;
        if (token.front() == 'Y') year = token.size() == 2 ? 2000 + *value : *value;
        if (token.front() == 'M') month = *value;
        if (token.front() == 'D') day = *value;
        pattern.remove_prefix(token.size());
    }
    const BusinessDate date(std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                            std::chrono::day(static_cast<unsigned>(day)));
    if (!text.empty() || !date.ok() || year == 0) return std::nullopt;
    return date;
}

std::string format_date_as(BusinessDate date, std::string_view pattern) {
    const int year = static_cast<int>(date.year());
    std::string out;
    while (!pattern.empty()) {
        const std::string_view token = token_at(pattern);
        if (token.empty()) out += pattern.front();
        if (token.starts_with('Y')) out += fmt::format("{:0{}}", token.size() == 2 ? year % 100 : year, token.size());
        if (token.starts_with('M')) out += fmt::format("{:02}", static_cast<unsigned>(date.month()));
        if (token.starts_with('D')) out += fmt::format("{:02}", static_cast<unsigned>(date.day()));
        pattern.remove_prefix(std::max<std::size_t>(1, token.size()));
    }
    return out;
}

}  // namespace drawbridge::text
