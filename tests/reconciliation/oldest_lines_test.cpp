#include "drawbridge/reconciliation/oldest_lines.hpp"

#include <gtest/gtest.h>

namespace drawbridge::reconciliation {
namespace {

using namespace std::chrono_literals;

Line line_since(unsigned day, LineClass line_class, std::int64_t payment_id) {
    Line line;
    line.line_class = line_class;
    line.payment_id = payment_id;
    line.since = 2026y / std::chrono::March / std::chrono::day(day);
    return line;
}

std::string taken(OldestLines& lines) {
    std::string text;
    for (const Line& line : lines.take())
        text += std::string(to_string(line.line_class)) + ":" + std::to_string(*line.payment_id) + " ";
    return text;
}

TEST(OldestLines, keep_so_many_of_each_class_and_of_one_day_the_first) {
    OldestLines lines(2);
    for (unsigned day = 20; day > 0; --day)
        lines.add(line_since(day, LineClass::pending, day));
    lines.add(line_since(1, LineClass::pending, 99));
    lines.add(line_since(30, LineClass::external, 30));
    EXPECT_EQ(taken(lines), std::string(to_string(LineClass::pending)) + ":1 " +
                                std::string(to_string(LineClass::pending)) + ":99 " +
                                std::string(to_string(LineClass::external)) + ":30 ");
    OldestLines three(3);
    for (unsigned day = 4; day > 0; --day)
        three.add(line_since(day, LineClass::pending, day));
    EXPECT_EQ(three.take().size(), 3U);
    OldestLines few(3);
    few.add(line_since(2, LineClass::pending, 2));
    EXPECT_EQ(few.take().size(), 1U);
}

}  // namespace
}  // namespace drawbridge::reconciliation
