#include "drawbridge/daemon/backup_schedule.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/samples.hpp"

namespace drawbridge::daemon {
namespace {

using test::at;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const BackupPlan daily{TimeZone::find("America/New_York").value(), std::chrono::hours(24), std::chrono::hours(2)};

TEST(BackupSchedule, is_due_after_the_time_of_day_has_passed_since_the_last_backup) {
    const Instant created = at("2026-01-01T12:00:00");
    struct Case {
        const char* last;
        const char* now;
        bool due;
    };
    const Case cases[] = {
        {"2026-03-04T07:00:00", "2026-03-05T06:59:59", false},  // 01:59:59 in New York
        {"2026-03-04T07:00:00", "2026-03-05T07:00:00", true},
        {"2026-03-05T07:00:00", "2026-03-05T23:00:00", false},
        {"2026-03-01T07:00:00", "2026-03-05T12:00:00", true},   // four were missed, one is caught up
        {"2026-03-08T06:59:00", "2026-03-08T07:00:00", true},   // the night when daylight saving time begins
        {"2026-03-08T07:00:00", "2026-03-09T05:59:59", false},  // then an hour earlier in UTC
        {"2026-03-08T07:00:00", "2026-03-09T06:00:00", true},
        {"2026-03-09T07:00:00", "2026-03-01T07:00:00", true},  // the clock was set back
    };
    for (const auto& one : cases)
        EXPECT_EQ(backup_due(daily, at(one.last), created, at(one.now)), one.due) << one.last << " " << one.now;
}

TEST(BackupSchedule, starts_with_the_first_time_after_the_ledger_was_created) {
    EXPECT_FALSE(backup_due(daily, std::nullopt, at("2026-03-04T12:00:00"), at("2026-03-05T06:00:00")));
    EXPECT_TRUE(backup_due(daily, std::nullopt, at("2026-03-04T12:00:00"), at("2026-03-05T07:00:00")));
}

TEST(BackupSchedule, is_never_due_with_an_interval_of_zero) {
    auto never = daily;
    never.every = std::chrono::milliseconds(0);
    EXPECT_FALSE(backup_due(never, std::nullopt, at("2020-01-01T00:00:00"), at("2026-03-05T07:00:00")));
}

TEST(OutdatedBackups, are_the_oldest_scheduled_backups_and_never_the_newest) {
    EXPECT_EQ(backup_name(at("2026-11-20T07:00:00")), "ledger-20261120T070000Z.db");
    const std::vector<std::string> names = {
        "ledger-20261118T070000Z.db", "ledger-20261120T070000Z.db",      "keep-me.db",
        "ledger-20261119T070000Z.db", "ledger-20261101T070000Z.db.part", "ledger-2026-11-01.db"};
    const std::string newest = "ledger-20261120T070000Z.db";
    EXPECT_THAT(outdated_backups(names, 2, newest), ElementsAre("ledger-20261118T070000Z.db"));
    EXPECT_THAT(outdated_backups(names, 14, newest), IsEmpty());
    EXPECT_THAT(outdated_backups({newest}, 0, newest), IsEmpty());
}

// Their names are of a day when the clock was years ahead.
TEST(OutdatedBackups, never_include_the_one_just_made) {
    const std::string made = "ledger-20261120T070000Z.db";
    EXPECT_THAT(outdated_backups({made, "ledger-20310101T070000Z.db", "ledger-20310102T070000Z.db"}, 2, made),
                ElementsAre("ledger-20310101T070000Z.db"));
}

}  // namespace
}  // namespace drawbridge::daemon
