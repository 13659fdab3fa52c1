#include "drawbridge/disbursement/cutoffs.hpp"

#include <gtest/gtest.h>

#include "support/samples.hpp"

namespace drawbridge::disbursement {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using test::at;

// 10:00 and 15:30 in New York. July 2, 2026 is in pay.closures.
CutoffPlan plan() {
    return {TimeZone::find("America/New_York").value(),
            {hours(10), hours(15) + minutes(30)},
            BankingCalendar({parse_date("2026-07-02").value()})};
}

std::string shown(std::optional<Instant> instant) {
    return instant ? format_instant(*instant) : "none";
}

struct DueCase {
    const char* what;
    const char* created;
    const char* served;  // empty: none yet
    const char* now;
    const char* due;
};

TEST(Cutoffs, the_newest_passed_cutoff_of_today_that_has_not_run_is_due) {
    const DueCase cases[] = {
        {"before the first", "2026-01-01T00:00:00", "", "2026-03-04T14:59:59.999", "none"},
        {"exactly at it", "2026-01-01T00:00:00", "", "2026-03-04T15:00:00", "2026-03-04T15:00:00.000Z"},
        {"long after it: caught up", "2026-01-01T00:00:00", "", "2026-03-04T20:00:00", "2026-03-04T15:00:00.000Z"},
        {"already run", "2026-01-01T00:00:00", "2026-03-04T15:00:00", "2026-03-04T20:00:00", "none"},
        {"the second after the first has run", "2026-01-01T00:00:00", "2026-03-04T15:00:00", "2026-03-04T20:30:00",
         "2026-03-04T20:30:00.000Z"},
        {"both missed: runs once", "2026-01-01T00:00:00", "", "2026-03-05T02:00:00", "2026-03-04T20:30:00.000Z"},
        {"missed yesterday: not caught up", "2026-01-01T00:00:00", "", "2026-03-05T05:00:00", "none"},
        {"yesterday's has run, today's is due", "2026-01-01T00:00:00", "2026-03-04T20:30:00", "2026-03-05T15:00:00",
         "2026-03-05T15:00:00.000Z"},
        {"the ledger is younger than the cut-off", "2026-03-04T15:00:01", "", "2026-03-04T18:00:00", "none"},
        {"the ledger is younger than the first only", "2026-03-04T15:00:01", "", "2026-03-04T20:30:00",
         "2026-03-04T20:30:00.000Z"},
        {"Saturday", "2026-01-01T00:00:00", "", "2026-03-07T18:00:00", "none"},
        {"Memorial Day", "2026-01-01T00:00:00", "", "2026-05-25T18:00:00", "none"},
        {"the office's closure", "2026-01-01T00:00:00", "", "2026-07-02T18:00:00", "none"},
        {"daylight saving time: an hour earlier in UTC", "2026-01-01T00:00:00", "", "2026-03-09T14:00:00",
         "2026-03-09T14:00:00.000Z"},
        {"the last Friday of standard time", "2026-01-01T00:00:00", "", "2026-03-06T14:59:59", "none"},
        {"last run in the future: the clock ran ahead", "2026-01-01T00:00:00", "2031-03-04T15:00:00",
         "2026-03-04T18:00:00", "2026-03-04T15:00:00.000Z"},
        {"the ledger was created while the clock ran ahead", "2031-03-04T15:00:01", "", "2026-03-04T18:00:00",
         "2026-03-04T15:00:00.000Z"},
        {"tomorrow in UTC is still today in New York", "2026-01-01T00:00:00", "2026-03-04T15:00:00",
         "2026-03-05T03:00:00", "2026-03-04T20:30:00.000Z"},
    };
    for (const auto& one : cases) {
        const auto served = *one.served == '\0' ? std::nullopt : std::optional(at(one.served));
        EXPECT_EQ(shown(due_cutoff(plan(), served, at(one.created), at(one.now))), one.due) << one.what;
    }
}

TEST(Cutoffs, the_next_cutoff_is_on_a_banking_day) {
    struct Case {
        const char* now;
        const char* next;
    };
    const Case cases[] = {
        {"2026-03-04T12:00:00", "2026-03-04T15:00:00.000Z"},
        {"2026-03-04T15:00:00", "2026-03-04T20:30:00.000Z"},  // strictly after now
        {"2026-03-04T20:30:00", "2026-03-05T15:00:00.000Z"},
        {"2026-03-06T21:00:00", "2026-03-09T14:00:00.000Z"},  // over a weekend and into daylight saving time
        {"2026-07-01T21:00:00", "2026-07-03T14:00:00.000Z"},  // over the closure; July 4 is a Saturday
        {"2026-11-25T22:00:00", "2026-11-27T15:00:00.000Z"},  // over Thanksgiving
    };
    for (const auto& one : cases)
        EXPECT_EQ(shown(next_cutoff(plan(), at(one.now))), one.next) << one.now;
    CutoffPlan none = plan();
    none.times.clear();
    EXPECT_EQ(next_cutoff(none, at("2026-03-04T12:00:00")), std::nullopt);
    EXPECT_EQ(due_cutoff(none, std::nullopt, at("2026-01-01T00:00:00"), at("2026-03-04T20:00:00")), std::nullopt);
}

TEST(Cutoffs, explains_why_the_next_cutoff_is_not_today) {
    struct Case {
        const char* now;
        const char* why;
    };
    const Case cases[] = {
        {"2026-03-04T12:00:00", ""},
        {"2026-03-04T20:29:00", ""},
        {"2026-03-04T20:30:00", "today's last cut-off has passed"},
        {"2026-03-07T15:00:00", "today is not a banking day"},
        {"2026-05-25T15:00:00", "today is Memorial Day"},
        {"2026-07-02T15:00:00", "today is a closure (pay.closures)"},
    };
    for (const auto& [now, why] : cases)
        EXPECT_EQ(why_not_today(plan(), at(now)), why) << now;
    EXPECT_EQ(why_not_today({plan().zone, {}, plan().calendar}, at("2026-03-07T15:00:00")), "");
}

}  // namespace
}  // namespace drawbridge::disbursement
