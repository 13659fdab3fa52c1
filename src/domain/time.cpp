#include "drawbridge/domain/time.hpp"

#include <date/tz.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <stdexcept>

#include "drawbridge/domain/ascii.hpp"

namespace drawbridge {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using std::chrono::sys_days;

// Reads exactly `width` digits at the front of `text` and removes them.
std::optional<int> consume_number(std::string_view& text, std::size_t width) {
    if (text.size() < width) return std::nullopt;
    int value = 0;
    for (const char c : text.substr(0, width)) {
        if (c < '0' || c > '9') return std::nullopt;
        value = value * 10 + (c - '0');
    }
    text.remove_prefix(width);
    return value;
}

bool consume(std::string_view& text, char c) {
    if (text.empty() || text.front() != c) return false;
    text.remove_prefix(1);
    return true;
}

std::optional<BusinessDate> consume_date(std::string_view& text) {
    const auto year = consume_number(text, 4);
    if (!year || !consume(text, '-')) return std::nullopt;
    const auto month = consume_number(text, 2);
    if (!month || !consume(text, '-')) return std::nullopt;
    const auto day = consume_number(text, 2);
    if (!day) return std::nullopt;
    const BusinessDate date{std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                            std::chrono::day(static_cast<unsigned>(*day))};
    if (!date.ok()) return std::nullopt;
    return date;
}

std::optional<milliseconds> consume_time_of_day(std::string_view& text) {
    const auto hour = consume_number(text, 2);
    if (!hour || *hour > 23 || !consume(text, ':')) return std::nullopt;
    const auto minute = consume_number(text, 2);
    if (!minute || *minute > 59) return std::nullopt;
    int second = 0;
    if (consume(text, ':')) {
        const auto read = consume_number(text, 2);
        if (!read || *read > 60) return std::nullopt;  // 60: a leap second
        second = *read;
    }
    int millis = 0;
    if (consume(text, '.')) {
        std::size_t digits = 0;
        while (!text.empty() && is_digit(text.front())) {
            if (digits < 3) millis = millis * 10 + (text.front() - '0');
            ++digits;
            text.remove_prefix(1);
        }
        if (digits == 0 || digits > 9) return std::nullopt;
        for (std::size_t i = digits; i < 3; ++i)
            millis *= 10;
    }
    return hours(*hour) + minutes(*minute) + seconds(second) + milliseconds(millis);
}

std::optional<minutes> consume_offset(std::string_view& text) {
    if (text.empty()) return minutes(0);
    if (consume(text, 'Z') || consume(text, 'z')) return minutes(0);
    const bool behind = text.front() == '-';
    if (!consume(text, '-') && !consume(text, '+')) return std::nullopt;
    const auto hour = consume_number(text, 2);
    if (!hour || *hour > 23) return std::nullopt;
    consume(text, ':');
    const auto minute = consume_number(text, 2);
    if (!minute || *minute > 59) return std::nullopt;
    const minutes offset = hours(*hour) + minutes(*minute);
    return behind ? -offset : offset;
}

std::string print(Instant instant, bool with_millis) {
    const auto day = std::chrono::floor<days>(instant);
    const BusinessDate date{day};
    const auto time_of_day = instant - day;
    const auto whole = std::chrono::floor<seconds>(time_of_day);
    auto text = fmt::format("{}T{:02}:{:02}:{:02}", format_date(date), whole.count() / 3600, whole.count() / 60 % 60,
                            whole.count() % 60);
    if (with_millis) fmt::format_to(std::back_inserter(text), ".{:03}", (time_of_day - whole).count());
    return text;
}

const date::time_zone& as_zone(const void* zone) {
    return *static_cast<const date::time_zone*>(zone);
}

}  // namespace

Result<Instant> parse_instant(std::string_view text) {
    std::string_view rest = text;
    const auto refuse = [&] {
        return fail(ErrorCode::invalid_input, "'" + std::string(text.substr(0, 40)) +
                                                  "' is not a valid date-time: write it like 2026-03-04T05:06:07");
    };
    const auto date = consume_date(rest);
    if (!date) return refuse();
    if (rest.empty()) return Instant(sys_days(*date));
    if (!consume(rest, 'T') && !consume(rest, ' ')) return refuse();
    const auto time_of_day = consume_time_of_day(rest);
    if (!time_of_day) return refuse();
    const auto offset = consume_offset(rest);
    if (!offset || !rest.empty()) return refuse();
    return Instant(sys_days(*date)) + *time_of_day - *offset;
}

std::string format_instant(Instant instant) {
    return print(instant, /*with_millis=*/true) + "Z";
}

std::string format_compact_instant(Instant instant) {
    std::string text = print(instant, /*with_millis=*/false) + "Z";
    std::erase_if(text, [](char c) { return c == ':' || c == '-'; });
    return text;
}

std::string format_service_instant(Instant instant) {
    return print(instant, /*with_millis=*/instant != std::chrono::floor<seconds>(instant));
}

Result<BusinessDate> parse_date(std::string_view text) {
    std::string_view rest = text;
    const auto date = consume_date(rest);
    if (!date || !rest.empty()) {
        return fail(ErrorCode::invalid_input,
                    "'" + std::string(text.substr(0, 40)) + "' is not a valid date: write it like 2026-03-04");
    }
    return *date;
}

std::string format_date(BusinessDate date) {
    return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                       static_cast<unsigned>(date.day()));
}

std::string folder_of_day(BusinessDate date) {
    std::string folder = format_date(date);
    std::ranges::replace(folder, '-', '/');
    return folder;
}

Result<TimeZone> TimeZone::find(std::string_view name) {
    try {
        return TimeZone(std::string(name), date::locate_zone(std::string(name)));
    } catch (const std::runtime_error&) {
        return fail(ErrorCode::invalid_input,
                    "'" + std::string(name.substr(0, 60)) +
                        "' is not a time zone on this system: write it like America/New_York");
    }
}

LocalTime TimeZone::to_local(Instant instant) const {
    const auto info = as_zone(zone_).get_info(instant);
    const auto local = instant + info.offset;
    const auto day = std::chrono::floor<days>(local);
    return {BusinessDate{day}, std::chrono::floor<minutes>(local - day), info.offset};
}

Instant TimeZone::to_instant(BusinessDate date, minutes time_of_day) const {
    const auto since_epoch = sys_days(date).time_since_epoch() + time_of_day;
    const date::local_time<seconds> local{std::chrono::duration_cast<seconds>(since_epoch)};
    return std::chrono::time_point_cast<milliseconds>(as_zone(zone_).to_sys(local, date::choose::earliest));
}

}  // namespace drawbridge
