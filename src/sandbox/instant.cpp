#include "instant.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <iterator>
#include <utility>

namespace draws_sandbox {
namespace {

using std::chrono::days;
using std::chrono::milliseconds;

std::function<Instant()> clock_of_this_process;

struct Parts {
    std::chrono::year_month_day date;
    std::chrono::hh_mm_ss<milliseconds> time;
};

Parts split(Instant instant) {
    const auto midnight = std::chrono::floor<days>(instant);
    return {std::chrono::year_month_day{midnight}, std::chrono::hh_mm_ss<milliseconds>{instant - midnight}};
}

// Reads exactly `digits` decimal digits off the front of `text`.
std::optional<unsigned> take_number(std::string_view& text, std::size_t digits) {
    if (text.size() < digits) return std::nullopt;
    unsigned value = 0;
    const auto part = text.substr(0, digits);
    const auto [stop, failure] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (failure != std::errc{} || stop != part.data() + part.size()) return std::nullopt;
    text.remove_prefix(digits);
    return value;
}

bool take(std::string_view& text, char expected) {
    if (!text.starts_with(expected)) return false;
    text.remove_prefix(1);
    return true;
}

std::optional<std::chrono::sys_days> take_date(std::string_view& text) {
    const auto year = take_number(text, 4);
    if (!year || !take(text, '-')) return std::nullopt;
    const auto month = take_number(text, 2);
    if (!month || !take(text, '-')) return std::nullopt;
    const auto day = take_number(text, 2);
    if (!day) return std::nullopt;
    const std::chrono::year_month_day date{std::chrono::year{static_cast<int>(*year)}, std::chrono::month{*month},
                                           std::chrono::day{*day}};
    if (!date.ok()) return std::nullopt;
    return std::chrono::sys_days{date};
}

// Reads a fraction of any length, truncated to milliseconds.
std::optional<milliseconds> take_fraction(std::string_view& text) {
    unsigned value = 0;
    std::size_t digits = 0;
    while (!text.empty() && text.front() >= '0' && text.front() <= '9') {
        if (digits < 3) value = value * 10 + static_cast<unsigned>(text.front() - '0');
        ++digits;
        text.remove_prefix(1);
    }
    if (digits == 0) return std::nullopt;
    for (auto missing = digits; missing < 3; ++missing)
        value *= 10;
    return milliseconds{value};
}

std::optional<milliseconds> take_time(std::string_view& text) {
    const auto hour = take_number(text, 2);
    if (!hour || *hour > 23 || !take(text, ':')) return std::nullopt;
    const auto minute = take_number(text, 2);
    if (!minute || *minute > 59) return std::nullopt;
    milliseconds time = std::chrono::hours{*hour} + std::chrono::minutes{*minute};
    if (!take(text, ':')) return time;
    const auto second = take_number(text, 2);
    if (!second || *second > 59) return std::nullopt;
    time += std::chrono::seconds{*second};
    if (!take(text, '.')) return time;
    const auto fraction = take_fraction(text);
    if (!fraction) return std::nullopt;
    return time + *fraction;
}

}  // namespace

Instant now() {
    return clock_of_this_process ? clock_of_this_process()
                                 : std::chrono::floor<milliseconds>(std::chrono::system_clock::now());
}

void use_clock(std::function<Instant()> clock) {
    clock_of_this_process = std::move(clock);
}

void append_instant(std::string& out, Instant instant) {
    const auto [date, time] = split(instant);
    fmt::format_to(std::back_inserter(out), "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", static_cast<int>(date.year()),
                   static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), time.hours().count(),
                   time.minutes().count(), time.seconds().count());
    if (time.subseconds().count() != 0) {
        fmt::format_to(std::back_inserter(out), ".{:03}", time.subseconds().count());
    }
}

std::optional<Instant> parse_instant(std::string_view text) {
    const auto date = take_date(text);
    if (!date) return std::nullopt;
    if (text.empty()) return Instant{*date};
    if (!take(text, 'T')) return std::nullopt;
    const auto time = take_time(text);
    if (!time) return std::nullopt;
    take(text, 'Z');
    if (!text.empty()) return std::nullopt;
    return Instant{*date} + *time;
}

std::string http_date(Instant instant) {
    static constexpr std::array weekdays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static constexpr std::array months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    const auto [date, time] = split(instant);
    const std::chrono::weekday weekday{std::chrono::sys_days{date}};
    return fmt::format("{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT", weekdays.at(weekday.c_encoding()),
                       static_cast<unsigned>(date.day()), months.at(static_cast<unsigned>(date.month()) - 1),
                       static_cast<int>(date.year()), time.hours().count(), time.minutes().count(),
                       time.seconds().count());
}

}  // namespace draws_sandbox
