#include "drawbridge/disbursement/settlement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drawbridge::disbursement {
namespace {

using ::testing::HasSubstr;
using namespace std::chrono_literals;

const TimeZone& new_york() {
    static const TimeZone zone = TimeZone::find("America/New_York").value();
    return zone;
}
Instant at(std::string_view date, std::chrono::minutes time) {
    return new_york().to_instant(parse_date(date).value(), time);
}

TEST(Settlement, follows_the_policy_and_the_calendar) {
    const BankingCalendar calendar({parse_date("2026-12-24").value()});
    struct Case {
        Settle settle;
        const char* made_on;
        std::chrono::minutes made_at;
        std::int64_t cents;
        const char* settles_on;
        const char* because;
    };
    const Case table[] = {
        {Settle::next_day, "2026-11-20", 15h + 31min, 100, "2026-11-23", "one banking day after Friday 2026-11-20"},
        {Settle::next_day, "2026-11-25", 10h, 100, "2026-11-27", "Thanksgiving Day on 2026-11-26 is not a banking day"},
        {Settle::next_day, "2026-11-20", 17h, 100, "2026-11-24", "the bank's cut-off 17:00 had passed the day before"},
        {Settle::next_day, "2026-11-21", 12h, 100, "2026-11-23", "one banking day after Saturday"},
        {Settle::next_day, "2026-12-23", 10h, 100, "2026-12-28", "Christmas Day"},
        {Settle::two_days, "2026-11-20", 9h, 100, "2026-11-24", "two banking days after Friday 2026-11-20"},
        // Juneteenth 2027 is a Saturday: the Friday stays open. Independence Day 2027 is a Sunday: the Monday is
        // closed.
        {Settle::next_day, "2027-06-17", 9h, 100, "2027-06-18", "one banking day"},
        {Settle::next_day, "2027-07-02", 9h, 100, "2027-07-06", "Independence Day on 2027-07-05"},
        {Settle::same_day, "2026-11-20", 10h, 100, "2026-11-20", "closes at 10:30 Eastern"},
        {Settle::same_day, "2026-11-20", 10h + 1min, 100, "2026-11-20", "closes at 14:45 Eastern"},
        {Settle::same_day, "2026-11-20", 16h + 15min, 1'000'000'00, "2026-11-20", "closes at 16:45 Eastern"},
        {Settle::same_day, "2026-11-20", 16h + 16min, 100, "2026-11-23", "the last same-day window was too close"},
        {Settle::same_day, "2026-11-20", 9h, 1'000'000'01, "2026-11-23",
         "over the same-day ACH limit of $1,000,000.00"},
        {Settle::same_day, "2026-11-21", 9h, 100, "2026-11-23", "there is no same-day ACH today"},
    };
    for (const Case& row : table) {
        const SettlePolicy policy{.settle = row.settle, .bank_cutoff = 17h};
        const auto settlement =
            settle(policy, calendar, new_york(), Money::from_cents(row.cents), at(row.made_on, row.made_at));
        EXPECT_EQ(format_date(settlement.effective_entry_date), row.settles_on) << row.made_on;
        EXPECT_THAT(settlement.because, HasSubstr(row.because));
    }
}

TEST(Settlement, keeps_the_lead_in_whole_minutes) {
    const BankingCalendar calendar;
    const SettlePolicy policy{.settle = Settle::same_day};
    const auto settles_on = [&](std::chrono::milliseconds later) {
        const Instant now = at("2026-11-20", 16h + 15min) + later;
        return format_date(settle(policy, calendar, new_york(), Money::from_cents(100), now).effective_entry_date);
    };
    EXPECT_EQ(settles_on(0ms), "2026-11-20");
    EXPECT_EQ(settles_on(45s), "2026-11-20") << "the run at the cut-off begins a moment later";
    EXPECT_EQ(settles_on(60s), "2026-11-23");
}

// The cut-off is in the office's time zone, the windows are in New York time.
TEST(Settlement, is_not_on_the_same_day_after_the_banks_cut_off) {
    const SettlePolicy policy{.settle = Settle::same_day, .bank_cutoff = 12h};
    const TimeZone chicago = TimeZone::find("America/Chicago").value();
    const BankingCalendar calendar;
    struct Case {
        std::chrono::minutes in_new_york;
        const char* settles_on;
    };
    for (const auto& [time, settles_on] :
         {Case{12h, "2026-11-30"}, Case{12h + 59min, "2026-11-30"}, Case{13h, "2026-12-02"}}) {
        const Instant now = at("2026-11-30", time);
        const auto settlement = settle(policy, calendar, chicago, Money::from_cents(100), now);
        EXPECT_EQ(format_date(settlement.effective_entry_date), settles_on);
        const bool is_late = time >= 13h;
        EXPECT_EQ(settlement.because ==
                      "one banking day after Tuesday 2026-12-01 (the bank's cut-off 12:00 had passed "
                      "the day before); there is no same-day ACH after the cut-off",
                  is_late)
            << settlement.because;
        EXPECT_EQ(fault_in_release(parse_date("2026-11-30").value(), policy, calendar, chicago, now).value_or(""),
                  is_late ? "its effective entry date is Monday 2026-11-30, but a file sent to the bank now settles on "
                            "Wednesday 2026-12-02 at the earliest"
                          : "");
        EXPECT_FALSE(fault_in_release(settlement.effective_entry_date, policy, calendar, chicago, now));
    }
}

TEST(Settlement, reports_when_a_file_is_released_too_late) {
    struct Case {
        Settle settle;
        const char* effective;
        const char* released_on;
        std::chrono::minutes released_at;
        bool may;
    };
    const Case table[] = {
        {Settle::next_day, "2026-11-23", "2026-11-20", 16h + 59min, true},
        {Settle::next_day, "2026-11-23", "2026-11-20", 17h, false},
        {Settle::next_day, "2026-11-23", "2026-11-22", 17h, true},
        {Settle::next_day, "2026-11-23", "2026-11-23", 0h, false},
        {Settle::two_days, "2026-11-24", "2026-11-23", 16h, true},
        {Settle::two_days, "2026-11-24", "2026-11-23", 18h, false},
        {Settle::same_day, "2026-11-20", "2026-11-20", 16h + 44min, true},
        {Settle::same_day, "2026-11-20", "2026-11-20", 16h + 45min, false},
        {Settle::next_day, "2026-11-20", "2026-11-20", 9h, false},
    };
    for (const Case& row : table) {
        const SettlePolicy policy{.settle = row.settle, .bank_cutoff = 17h};
        const auto fault = fault_in_release(parse_date(row.effective).value(), policy, BankingCalendar(), new_york(),
                                            at(row.released_on, row.released_at));
        EXPECT_EQ(!fault.has_value(), row.may)
            << row.released_on << " " << row.released_at.count() << fault.value_or("");
    }
}

}  // namespace
}  // namespace drawbridge::disbursement
