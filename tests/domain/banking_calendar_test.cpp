#include "drawbridge/domain/banking_calendar.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace drawbridge {
namespace {

using namespace std::chrono_literals;

BusinessDate date(std::string_view text) {
    return parse_date(text).value();
}

bool is_weekend(BusinessDate day) {
    const std::chrono::weekday weekday{std::chrono::sys_days(day)};
    return weekday == std::chrono::Saturday || weekday == std::chrono::Sunday;
}

// As the Federal Reserve publishes them. A holiday on a Saturday closes no other day; one on a Sunday closes the
// Monday.
TEST(BankingCalendar, is_closed_on_federal_reserve_holidays_and_no_other_weekday) {
    struct Case {
        int year;
        std::vector<std::string_view> closed;
    };
    const Case cases[] = {
        {2021, {"01-01", "01-18", "02-15", "05-31", "07-05", "09-06", "10-11", "11-11", "11-25"}},
        {2022, {"01-17", "02-21", "05-30", "06-20", "07-04", "09-05", "10-10", "11-11", "11-24", "12-26"}},
        {2023, {"01-02", "01-16", "02-20", "05-29", "06-19", "07-04", "09-04", "10-09", "11-23", "12-25"}},
        {2024, {"01-01", "01-15", "02-19", "05-27", "06-19", "07-04", "09-02", "10-14", "11-11", "11-28", "12-25"}},
        {2025, {"01-01", "01-20", "02-17", "05-26", "06-19", "07-04", "09-01", "10-13", "11-11", "11-27", "12-25"}},
        {2026, {"01-01", "01-19", "02-16", "05-25", "06-19", "09-07", "10-12", "11-11", "11-26", "12-25"}},
        {2027, {"01-01", "01-18", "02-15", "05-31", "07-05", "09-06", "10-11", "11-11", "11-25"}},
        {2028, {"01-17", "02-21", "05-29", "06-19", "07-04", "09-04", "10-09", "11-23", "12-25"}},
        {2029, {"01-01", "01-15", "02-19", "05-28", "06-19", "07-04", "09-03", "10-08", "11-12", "11-22", "12-25"}},
        {2030, {"01-01", "01-21", "02-18", "05-27", "06-19", "07-04", "09-02", "10-14", "11-11", "11-28", "12-25"}},
    };
    const BankingCalendar calendar;
    for (const Case& c : cases) {
        const std::chrono::year year(c.year);
        std::vector<std::string> closed;
        for (auto day = std::chrono::sys_days(year / 1 / 1); day <= std::chrono::sys_days(year / 12 / 31);
             day += std::chrono::days(1)) {
            if (!calendar.is_banking_day(day) && !is_weekend(day)) closed.push_back(format_date(day).substr(5));
        }
        EXPECT_EQ(closed, std::vector<std::string>(c.closed.begin(), c.closed.end())) << c.year;
    }
}

TEST(BankingCalendar, names_all_eleven_holidays) {
    struct Case {
        std::string_view date;
        std::string_view name;
    };
    const Case cases[] = {
        {"2025-01-01", "New Year's Day"},
        {"2025-01-20", "Birthday of Martin Luther King, Jr."},
        {"2025-02-17", "Washington's Birthday"},
        {"2025-05-26", "Memorial Day"},
        {"2025-06-19", "Juneteenth National Independence Day"},
        {"2025-07-04", "Independence Day"},
        {"2025-09-01", "Labor Day"},
        {"2025-10-13", "Columbus Day"},
        {"2025-11-11", "Veterans Day"},
        {"2025-11-27", "Thanksgiving Day"},
        {"2025-12-25", "Christmas Day"},
        {"2027-07-05", "Independence Day"},
        {"2025-03-04", ""},
        {"2021-06-18", ""},
        {"2026-07-03", ""},
    };
    for (const Case& c : cases)
        EXPECT_EQ(federal_reserve_holiday(date(c.date)), c.name) << c.date;
}

TEST(BankingCalendar, counts_banking_days) {
    struct Case {
        std::string_view from;
        int days;
        std::string_view to;
    };
    const Case cases[] = {
        {"2026-03-03", 1, "2026-03-04"},                                   // Tuesday
        {"2026-03-06", 1, "2026-03-09"},                                   // Friday, over the weekend
        {"2026-03-07", 1, "2026-03-09"},                                   // from a Saturday
        {"2026-03-07", 2, "2026-03-10"}, {"2025-12-24", 1, "2025-12-26"},  // Christmas
        {"2025-12-31", 1, "2026-01-02"},                                   // New Year
        {"2026-07-02", 1, "2026-07-03"},                                   // holiday on a Saturday: the Friday is open
        {"2027-07-02", 1, "2027-07-06"},                                   // holiday on a Sunday: the Monday is closed
        {"2024-02-28", 2, "2024-03-01"},                                   // leap year
    };
    const BankingCalendar calendar;
    for (const Case& c : cases)
        EXPECT_EQ(format_date(calendar.add(date(c.from), c.days)), c.to) << c.from;
    for (const Case& c : cases)
        EXPECT_EQ(calendar.count(date(c.from), date(c.to)), c.days) << c.from;
    EXPECT_EQ(calendar.count(date("2026-03-06"), date("2026-03-08")), 0) << "a weekend";
    EXPECT_EQ(calendar.count(date("2026-03-06"), date("2026-03-06")), 0);
    EXPECT_EQ(format_date(calendar.on_or_after(date("2026-03-03"))), "2026-03-03");
    EXPECT_EQ(format_date(calendar.on_or_after(date("2025-12-25"))), "2025-12-26");
}

TEST(BankingCalendar, observes_configured_closures) {
    const BankingCalendar calendar({date("2026-03-04"), date("2026-03-05")});
    EXPECT_FALSE(calendar.is_banking_day(date("2026-03-04")));
    EXPECT_EQ(format_date(calendar.add(date("2026-03-03"), 1)), "2026-03-06");
}

TEST(BankingCalendarDeathTest, requires_at_least_one_day) {
    EXPECT_DEATH((void)BankingCalendar().add(2026y / 3 / 3, 0), "at least one banking day");
}

}  // namespace
}  // namespace drawbridge
