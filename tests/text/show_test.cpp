#include "drawbridge/text/show.hpp"

#include <gtest/gtest.h>

namespace drawbridge::text {
namespace {

TEST(Show, groups_numbers_by_thousands) {
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(1000), "1,000");
    EXPECT_EQ(grouped(12'500), "12,500");
    EXPECT_EQ(grouped(1'234'567), "1,234,567");
    EXPECT_EQ(grouped(-123), "-123");
    EXPECT_EQ(grouped(-1234), "-1,234");
}

TEST(Show, uses_the_plural_except_for_one) {
    EXPECT_EQ(counted(0, "draw"), "0 draws");
    EXPECT_EQ(counted(1, "draw"), "1 draw");
    EXPECT_EQ(counted(1250, "draw"), "1,250 draws");
}

TEST(Show, cuts_quoted_text_between_characters) {
    EXPECT_EQ(text::quoted("Peña"), "'Peña'");
    EXPECT_EQ(text::quoted(std::string(60, 'x')), "'" + std::string(60, 'x') + "'");
    EXPECT_EQ(text::quoted(std::string(59, 'x') + "ñ"), "'" + std::string(59, 'x') + "…'");
}

TEST(Show, shows_the_two_largest_units_of_a_duration) {
    using std::chrono::seconds;
    EXPECT_EQ(short_duration(std::chrono::milliseconds(999)), "0s");
    EXPECT_EQ(short_duration(seconds(-5)), "0s");
    EXPECT_EQ(short_duration(seconds(59)), "59s");
    EXPECT_EQ(short_duration(seconds(60)), "1m");
    EXPECT_EQ(short_duration(seconds(7'265)), "2h 1m");
    EXPECT_EQ(short_duration(seconds(86'400 * 3 + 59)), "3d");
    EXPECT_EQ(short_duration(seconds(86'400 + 7'200)), "1d 2h");
}

TEST(Counted, forms_english_plurals) {
    EXPECT_EQ(counted(1, "entry"), "1 entry");
    EXPECT_EQ(counted(2, "more entry"), "2 more entries");
    EXPECT_EQ(counted(0, "batch"), "0 batches");
    EXPECT_EQ(counted(12'500, "draw"), "12,500 draws");
    EXPECT_EQ(counted(3, "day"), "3 days");
}

}  // namespace
}  // namespace drawbridge::text
