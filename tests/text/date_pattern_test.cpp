// Dates as banks write them.
#include "drawbridge/text/date_pattern.hpp"

#include <gtest/gtest.h>

namespace drawbridge::text {
namespace {

TEST(DatePattern, has_year_month_and_day_once_each) {
    for (const char* good : {"YYYY-MM-DD", "YYMMDD", "MM/DD/YYYY", "DD.MM.YY", "YYYY MM DD"}) {
        EXPECT_TRUE(is_date_pattern(good)) << good;
        EXPECT_TRUE(is_fixed_date_pattern(good)) << good;
    }
    for (const char* varying : {"M/D/YYYY", "D-MON-YY", "MM|DD|YYYY"}) {
        EXPECT_TRUE(is_date_pattern(varying)) << varying;
        EXPECT_FALSE(is_fixed_date_pattern(varying)) << varying;
    }
    for (const char* bad : {"", "YYYY-MM", "YYYY-MM-DD-DD", "YYYYxMMxDD", "MM1DD1YYYY", "yyyy-mm-dd", "YYYYMMM"}) {
        EXPECT_FALSE(is_date_pattern(bad)) << bad;
        EXPECT_FALSE(is_fixed_date_pattern(bad)) << bad;
    }
}

TEST(DatePattern, reads_back_what_it_writes) {
    const auto date = parse_date("2026-03-04").value();
    for (const char* pattern : {"YYYY-MM-DD", "YYMMDD", "MM/DD/YYYY", "DD.MM.YY"}) {
        const auto text = format_date_as(date, pattern);
        EXPECT_EQ(text.size(), std::string_view(pattern).size());
        EXPECT_EQ(parse_date_as(text, pattern), date) << text;
    }
    EXPECT_EQ(format_date_as(date, "MM/DD/YY"), "03/04/26");
}

TEST(DatePattern, takes_short_days_and_month_names) {
    const auto date = parse_date("2026-03-04").value();
    EXPECT_EQ(parse_date_as("3/4/2026", "M/D/YYYY"), date);
    EXPECT_EQ(parse_date_as("03/04/2026", "M/D/YYYY"), date);
    EXPECT_EQ(parse_date_as("4-mAR-26", "D-MON-YY"), date);
}

TEST(DatePattern, refuses_what_is_no_date_or_not_the_whole_text) {
    struct Case {
        const char* text;
        const char* pattern;
    };
    for (const Case& c :
         {Case{"2026-02-29", "YYYY-MM-DD"}, Case{"2026-03-04T00:00", "YYYY-MM-DD"}, Case{"2026-3-04", "YYYY-MM-DD"},
          Case{"20260304", "YYYY-MM-DD"}, Case{"", "YYMMDD"}, Case{"2603", "YYMMDD"}, Case{"4-Mrz-26", "D-MON-YY"},
          Case{"-4/03/2026", "DD/MM/YYYY"}, Case{"0000-01-01", "YYYY-MM-DD"}})
        EXPECT_EQ(parse_date_as(c.text, c.pattern), std::nullopt) << c.text;
}

}  // namespace
}  // namespace drawbridge::text
