#include "date_format.hpp"

#include <array>
#include <cstdio>

namespace drawbridge::checks {

namespace {

enum class Part { year_4, year_2, month, day, separator, unknown };

struct Token {
    Part part = Part::unknown;
    std::size_t length = 1;
};

Token next_token(std::string_view format) {
    if (format.starts_with("YYYY")) return {Part::year_4, 4};
    if (format.starts_with("YY")) return {Part::year_2, 2};
    if (format.starts_with("MM")) return {Part::month, 2};
    if (format.starts_with("DD")) return {Part::day, 2};
    if (std::string_view("-/. ").find(format.front()) != std::string_view::npos) return {Part::separator, 1};
    return {};
}

std::string zero_filled(int value, int width) {
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "%0*d", width, value);
    return text.data();
}

// nullopt unless `text` consists of digits only.
std::optional<int> digits(std::string_view text) {
    int value = 0;
    for (const char c : text) {
        if (c < '0' || c > '9') return std::nullopt;
        value = value * 10 + (c - '0');
    }
    return value;
}

}  // namespace

bool is_date_format(std::string_view format) {
    int years = 0, months = 0, days = 0;
    while (!format.empty()) {
        const Token token = next_token(format);
        switch (token.part) {
            case Part::year_4:
            case Part::year_2: ++years; break;
            case Part::month: ++months; break;
            case Part::day: ++days; break;
            case Part::separator: break;
            case Part::unknown: return false;
        }
        format.remove_prefix(token.length);
    }
    return years == 1 && months == 1 && days == 1;
}

std::string format_date_as(BusinessDate date, std::string_view format) {
    std::string out;
    const int year = static_cast<int>(date.year());
    while (!format.empty()) {
        const Token token = next_token(format);
        switch (token.part) {
            case Part::year_4: out += zero_filled(year, 4); break;
            case Part::year_2: out += zero_filled(year % 100, 2); break;
            case Part::month: out += zero_filled(static_cast<int>(static_cast<unsigned>(date.month())), 2); break;
            case Part::day: out += zero_filled(static_cast<int>(static_cast<unsigned>(date.day())), 2); break;
            case Part::separator:
            case Part::unknown: out += format.front(); break;
        }
        format.remove_prefix(token.length);
    }
    return out;
}

std::optional<BusinessDate> parse_date_as(std::string_view text, std::string_view format) {
    int year = 0, month = 0, day = 0;
    while (!format.empty()) {
        const Token token = next_token(format);
        if (text.size() < token.length) return std::nullopt;
        const std::string_view part = text.substr(0, token.length);
        if (token.part == Part::separator || token.part == Part::unknown) {
            if (part.front() != format.front()) return std::nullopt;
        } else {
            const auto value = digits(part);
            if (!value) return std::nullopt;
            if (token.part == Part::month)
                month = *value;
            else if (token.part == Part::day)
                day = *value;
            else
                year = token.part == Part::year_2 ? 2000 + *value : *value;
        }
        text.remove_prefix(token.length);
        format.remove_prefix(token.length);
    }
    const BusinessDate date(std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                            std::chrono::day(static_cast<unsigned>(day)));
    if (!text.empty() || !date.ok()) return std::nullopt;
    return date;
}

}  // namespace drawbridge::checks
