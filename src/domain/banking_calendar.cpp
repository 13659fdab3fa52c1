#include "drawbridge/domain/banking_calendar.hpp"

#include "drawbridge/domain/assert.hpp"

namespace drawbridge {
namespace {

using namespace std::chrono_literals;
using std::chrono::day;
using std::chrono::last;
using std::chrono::Monday;
using std::chrono::month;
using std::chrono::month_day;
using std::chrono::month_weekday;
using std::chrono::month_weekday_last;
using std::chrono::Saturday;
using std::chrono::Sunday;
using std::chrono::sys_days;
using std::chrono::Thursday;
using std::chrono::weekday;

struct FixedHoliday {
    std::string_view name;
    int since;  // first year observed by the Federal Reserve
    month_day date;
};

constexpr FixedHoliday fixed_holidays[] = {
    {"New Year's Day", 0, month(1) / day(1)},   {"Juneteenth National Independence Day", 2022, month(6) / day(19)},
    {"Independence Day", 0, month(7) / day(4)}, {"Veterans Day", 0, month(11) / day(11)},
    {"Christmas Day", 0, month(12) / day(25)},
};

std::string_view fixed_holiday(BusinessDate date) {
    for (const auto& holiday : fixed_holidays) {
        if (holiday.date == date.month() / date.day() && static_cast<int>(date.year()) >= holiday.since) {
            return holiday.name;
        }
    }
    return {};
}

std::string_view floating_holiday(BusinessDate date) {
    const auto is = [&](auto rule) { return BusinessDate(sys_days(date.year() / rule)) == date; };
    if (is(month(1) / Monday[3])) return "Birthday of Martin Luther King, Jr.";
    if (is(month(2) / Monday[3])) return "Washington's Birthday";
    if (is(month(5) / Monday[last])) return "Memorial Day";
    if (is(month(9) / Monday[1])) return "Labor Day";
    if (is(month(10) / Monday[2])) return "Columbus Day";
    if (is(month(11) / Thursday[4])) return "Thanksgiving Day";
    return {};
}

}  // namespace

std::string_view federal_reserve_holiday(BusinessDate date) {
    if (const auto name = floating_holiday(date); !name.empty()) return name;
    const weekday day_of_week{sys_days(date)};
    // A fixed holiday on a Saturday closes no other day. On a Sunday it is observed on Monday.
    if (day_of_week == Monday) {
        if (const auto name = fixed_holiday(sys_days(date) - std::chrono::days(1)); !name.empty()) return name;
    }
    return fixed_holiday(date);
}

bool BankingCalendar::is_banking_day(BusinessDate date) const {
    const weekday day_of_week{sys_days(date)};
    return day_of_week != Saturday && day_of_week != Sunday && federal_reserve_holiday(date).empty() &&
           !closures_.contains(date);
}

BusinessDate BankingCalendar::on_or_after(BusinessDate date) const {
    // No bank is closed for ten years in a row: the configuration is wrong.
    for (int tries = 0; tries < 3660; ++tries) {
        if (is_banking_day(date)) return date;
        date = sys_days(date) + std::chrono::days(1);
    }
    assertion_failed("is_banking_day(date)", __FILE__, __LINE__, "no banking day within ten years");
}

BusinessDate BankingCalendar::add(BusinessDate date, int days) const {
    DRAWBRIDGE_ASSERT(days >= 1, "at least one banking day");
    for (int i = 0; i < days; ++i)
        date = on_or_after(BusinessDate(sys_days(date) + std::chrono::days(1)));
    return date;
}

int BankingCalendar::count(BusinessDate from, BusinessDate to) const {
    int days = 0;
    for (auto date = sys_days(from) + std::chrono::days(1); date <= sys_days(to); date += std::chrono::days(1))
        days += is_banking_day(date) ? 1 : 0;
    return days;
}

}  // namespace drawbridge
