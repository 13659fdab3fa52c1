#include "drawbridge/domain/time.hpp"

#include <gtest/gtest.h>

namespace drawbridge {
namespace {

using namespace std::chrono_literals;

TEST(ParseInstant, reads_iso_8601_variants) {
    struct Case {
        std::string_view text;
        std::string_view instant;
    };
    const Case cases[] = {
        {"2026-03-04T05:06:07", "2026-03-04T05:06:07.000Z"},
        {"2026-03-04T05:06:07Z", "2026-03-04T05:06:07.000Z"},
        {"2026-03-04 05:06:07z", "2026-03-04T05:06:07.000Z"},
        {"2026-03-04T05:06", "2026-03-04T05:06:00.000Z"},
        {"2026-03-04", "2026-03-04T00:00:00.000Z"},
        {"2026-03-04T05:06:07.1", "2026-03-04T05:06:07.100Z"},
        {"2026-03-04T05:06:07.12Z", "2026-03-04T05:06:07.120Z"},
        {"2026-03-04T05:06:07.1239999", "2026-03-04T05:06:07.123Z"},
        {"2026-03-04T05:06:07.123456789Z", "2026-03-04T05:06:07.123Z"},
        {"2026-03-04T05:06:07-05:00", "2026-03-04T10:06:07.000Z"},
        {"2026-03-04T01:06:07+05:30", "2026-03-03T19:36:07.000Z"},
        {"2026-03-04T05:06:07+0100", "2026-03-04T04:06:07.000Z"},
        {"2024-02-29T23:59:59.999", "2024-02-29T23:59:59.999Z"},
        {"1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.500Z"},
        {"0001-01-01T00:00:00", "0001-01-01T00:00:00.000Z"},
        {"9999-12-31T23:59:59", "9999-12-31T23:59:59.000Z"},
    };
    for (const Case& c : cases) {
        const auto instant = parse_instant(c.text);
        ASSERT_TRUE(instant) << c.text;
        EXPECT_EQ(format_instant(*instant), c.instant) << c.text;
        EXPECT_EQ(parse_instant(c.instant), *instant);
    }
}

TEST(ParseInstant, rejects_all_other_text) {
    for (const std::string_view text : {"",
                                        "2026",
                                        "2026-03",
                                        "2026-3-4T05:06:07",
                                        "2026-02-29T00:00:00",
                                        "2026-13-01",
                                        "2026-00-01",
                                        "2026-01-00",
                                        "2026-03-04T",
                                        "2026-03-04T24:00:00",
                                        "2026-03-04T05:60:07",
                                        "2026-03-04T05:06:61",
                                        "2026-03-04T05:06:07.",
                                        "2026-03-04T05:06:07.1234567890",
                                        "2026-03-04T05:06:07+25:00",
                                        "2026-03-04T05:06:07+05:60",
                                        "2026-03-04T05:06:07+5",
                                        "2026-03-04T05:06:07Zx",
                                        "2026-03-04T05:06:07 ",
                                        " 2026-03-04",
                                        "20260304T050607",
                                        "2026-03-04Z",
                                        "03/04/2026",
                                        "1772600767"}) {
        EXPECT_FALSE(parse_instant(text)) << text;
    }
}

TEST(FormatServiceInstant, omits_the_offset_and_a_zero_fraction) {
    EXPECT_EQ(format_compact_instant(parse_instant("2026-03-04T05:06:07.120Z").value()), "20260304T050607Z");
    EXPECT_EQ(format_service_instant(parse_instant("2026-03-04T05:06:07Z").value()), "2026-03-04T05:06:07");
    EXPECT_EQ(format_service_instant(parse_instant("2026-03-04T05:06:07.120Z").value()), "2026-03-04T05:06:07.120");
}

TEST(ParseDate, accepts_only_days_that_exist) {
    EXPECT_EQ(parse_date("2026-03-04"), 2026y / 3 / 4);
    EXPECT_EQ(format_date(parse_date("2024-02-29").value()), "2024-02-29");
    for (const std::string_view text :
         {"", "2026-02-29", "2100-02-29", "2026-04-31", "2026-3-4", "26-03-04", "2026-03-04T00:00:00", "2026/03/04",
          "03/04/2026", " 2026-03-04", "2026-03-04 "})
        EXPECT_FALSE(parse_date(text)) << text;
}

TEST(FolderOfDay, has_a_folder_for_each_year_month_and_day) {
    EXPECT_EQ(folder_of_day(2026y / 3 / 4), "2026/03/04");
}

TEST(TimeZone, converts_both_ways_across_daylight_saving) {
    const TimeZone zone = TimeZone::find("America/New_York").value();
    EXPECT_EQ(zone.name(), "America/New_York");
    struct Case {
        std::string_view local_date;
        std::chrono::minutes time_of_day;
        std::string_view instant;
    };
    const Case cases[] = {
        {"2026-01-15", 10h, "2026-01-15T15:00:00.000Z"},         {"2026-07-15", 10h, "2026-07-15T14:00:00.000Z"},
        {"2026-03-08", 1h + 59min, "2026-03-08T06:59:00.000Z"},  {"2026-03-08", 3h, "2026-03-08T07:00:00.000Z"},
        {"2026-11-01", 59min, "2026-11-01T04:59:00.000Z"},       {"2026-11-01", 2h, "2026-11-01T07:00:00.000Z"},
        {"2026-12-31", 23h + 30min, "2027-01-01T04:30:00.000Z"},
    };
    for (const Case& c : cases) {
        const BusinessDate date = parse_date(c.local_date).value();
        const Instant instant = zone.to_instant(date, c.time_of_day);
        EXPECT_EQ(format_instant(instant), c.instant);
        const LocalTime local = zone.to_local(instant);
        EXPECT_EQ(local.date, date);
        EXPECT_EQ(local.time_of_day, c.time_of_day);
        EXPECT_EQ(zone.date_of(instant), date);
    }
}

TEST(TimeZone, maps_a_skipped_time_to_the_change_and_a_repeated_time_to_the_first) {
    const TimeZone zone = TimeZone::find("America/New_York").value();
    EXPECT_EQ(format_instant(zone.to_instant(2026y / 3 / 8, 2h)), "2026-03-08T07:00:00.000Z");
    EXPECT_EQ(format_instant(zone.to_instant(2026y / 3 / 8, 2h + 30min)), "2026-03-08T07:00:00.000Z");
    EXPECT_EQ(format_instant(zone.to_instant(2026y / 11 / 1, 1h + 30min)), "2026-11-01T05:30:00.000Z");
}

// The daemon sends this as disbursedDate: anyone who views it in the office's zone sees the bank's date.
TEST(TimeZone, keeps_the_calendar_day_across_every_offset_change) {
    for (const char* name : {"America/New_York", "Pacific/Honolulu", "America/Puerto_Rico", "Pacific/Guam",
                             "Pacific/Pago_Pago", "Pacific/Kiritimati", "America/St_Johns", "Africa/Cairo",
                             "Asia/Beirut", "America/Havana", "America/Asuncion", "Australia/Lord_Howe", "UTC"}) {
        const TimeZone zone = TimeZone::find(name).value();
        for (std::chrono::sys_days day = 2024y / 1 / 1; day < std::chrono::sys_days(2027y / 1 / 1);
             day += std::chrono::days(1)) {
            for (const auto time : {0min, 30min, 2h + 30min, 12h + 0min, 23h + 30min, 23h + 59min})
                ASSERT_EQ(zone.date_of(zone.to_instant(day, time)), BusinessDate(day)) << name << ' ' << time.count();
        }
    }
}

TEST(TimeZone, reports_the_offset_at_an_instant) {
    const TimeZone zone = TimeZone::find("America/New_York").value();
    EXPECT_EQ(zone.to_local(parse_instant("2026-11-01T05:30:00Z").value()).utc_offset, -4h);
    EXPECT_EQ(zone.to_local(parse_instant("2026-11-01T06:30:00Z").value()).utc_offset, -5h);
    EXPECT_EQ(TimeZone::find("Asia/Kathmandu").value().to_local(Instant{}).utc_offset, 5h + 30min);
    EXPECT_EQ(TimeZone::find("UTC").value().date_of(parse_instant("2026-03-04T23:59:59.999Z").value()), 2026y / 3 / 4);
}

TEST(TimeZone, rejects_an_unknown_zone) {
    for (const std::string_view name : {"", "New York", "America/Atlantis", "EST5EDT4", "../../etc/passwd"}) {
        const auto zone = TimeZone::find(name);
        ASSERT_FALSE(zone) << name;
        EXPECT_EQ(zone.error().code, ErrorCode::invalid_input);
    }
}

}  // namespace
}  // namespace drawbridge
