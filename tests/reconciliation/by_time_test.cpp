#include "drawbridge/reconciliation/by_time.hpp"

#include <gtest/gtest.h>

namespace drawbridge::reconciliation {
namespace {

BusinessDate day(const char* text) {
    return parse_date(text).value();
}

TEST(PaidByTime, waits_until_the_last_banking_day_is_over) {
    const BankingCalendar calendar;
    const struct {
        const char* effective;
        const char* at_bank;
        int days;
        const char* today;
        const char* paid_on;  // empty: not yet
    } cases[] = {
        {"2026-03-04", "2026-03-03", 5, "2026-03-11", ""},            // the fifth day itself: returns may still come
        {"2026-03-04", "2026-03-03", 5, "2026-03-12", "2026-03-04"},  // across a weekend
        {"2026-03-04", "2026-03-04", 2, "2026-03-07", "2026-03-04"},  // the same day
        {"2026-03-04", "2026-03-06", 2, "2026-03-11", ""},            // released late: it settles on Monday
        {"2026-03-04", "2026-03-06", 2, "2026-03-12", "2026-03-09"},
        {"2026-07-02", "2026-07-01", 2, "2026-07-07",
         "2026-07-02"},                                     // Friday the 3rd is a banking day, the 4th a Saturday
        {"2026-11-25", "2026-11-24", 2, "2026-11-28", ""},  // Thanksgiving
        {"2026-11-25", "2026-11-24", 2, "2026-12-01", "2026-11-25"},
        {"2026-03-04", "2026-03-03", 5, "2026-03-04", ""},
    };
    for (const auto& c : cases) {
        const auto paid_on = paid_by_time(day(c.effective), day(c.at_bank), c.days, calendar, day(c.today));
        EXPECT_EQ(paid_on ? format_date(*paid_on) : "", c.paid_on) << c.effective << " seen on " << c.today;
    }
}

TEST(PaidByTime, counts_configured_closures) {
    const BankingCalendar calendar({day("2026-03-05")});
    EXPECT_FALSE(paid_by_time(day("2026-03-04"), day("2026-03-03"), 2, calendar, day("2026-03-07")));
    EXPECT_TRUE(paid_by_time(day("2026-03-04"), day("2026-03-03"), 2, calendar, day("2026-03-10")));
}

// Wednesday the 4th is the settlement date.
TEST(LookedForReturns, counts_the_banking_days_on_which_the_program_looked) {
    const BankingCalendar calendar({day("2026-03-10")});
    const auto looked = [&](std::set<BusinessDate> on, const char* today) {
        return looked_for_returns(day("2026-03-04"), 2, calendar, on, day(today));
    };
    EXPECT_TRUE(looked({day("2026-03-05"), day("2026-03-06")}, "2026-03-07"));
    EXPECT_TRUE(looked({day("2026-03-06"), day("2026-03-12")}, "2026-03-13")) << "it was off for a while";
    EXPECT_FALSE(looked({day("2026-03-05")}, "2036-03-07")) << "the clock leapt";
    EXPECT_FALSE(looked({day("2026-03-05"), day("2026-03-06")}, "2026-03-06")) << "today is not over";
    EXPECT_FALSE(looked({day("2026-03-04"), day("2026-03-05")}, "2026-03-09")) << "the settlement date itself";
    EXPECT_FALSE(looked({day("2026-03-06"), day("2026-03-07"), day("2026-03-10")}, "2026-03-13"))
        << "a weekend and a closure";
    EXPECT_FALSE(looked({day("2026-03-05"), day("2036-03-06")}, "2026-03-13")) << "recorded while the clock was ahead";
}

}  // namespace
}  // namespace drawbridge::reconciliation
