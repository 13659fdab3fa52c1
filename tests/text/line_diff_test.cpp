#include "drawbridge/text/line_diff.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace drawbridge::text {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> shown(std::string_view before, std::string_view now) {
    std::vector<std::string> lines;
    for (const auto& line : differing_lines(before, now))
        lines.push_back((line.is_new ? "+" : "-") + std::to_string(line.line) + " " + std::string(line.text));
    return lines;
}

TEST(LineDiff, lists_removed_and_added_lines) {
    EXPECT_THAT(shown("a\nb\nc\n", "a\nB\nc\n"), ElementsAre("-2 b", "+2 B"));
    EXPECT_THAT(shown("a\nb\nc\nd\ne\n", "a\nc\nx\nd\n"), ElementsAre("-2 b", "+3 x", "-5 e"));
    EXPECT_THAT(shown("", "a\nb"), ElementsAre("+1 a", "+2 b"));
    EXPECT_THAT(shown("a\nb", ""), ElementsAre("-1 a", "-2 b"));
}

TEST(LineDiff, is_empty_for_equal_texts) {
    EXPECT_THAT(shown("a\nb\n", "a\nb\n"), IsEmpty());
    EXPECT_THAT(shown("", ""), IsEmpty());
}

TEST(LineDiff, counts_every_line_of_a_very_long_change) {
    std::string before = "first\n", now = "first\n";
    for (int i = 0; i < 2'100; ++i) {
        before += "b" + std::to_string(i) + "\n";
        now += "n" + std::to_string(i) + "\n";
    }
    EXPECT_EQ(differing_lines(before + "same\nx\n", now + "same\ny\n").size(), 2U * 2'102U);
}

}  // namespace
}  // namespace drawbridge::text
