#include "drawbridge/text/mask.hpp"

#include <gtest/gtest.h>

namespace drawbridge::text {
namespace {

TEST(MaskQuotedNumbers, keeps_the_last_four_digits_of_a_long_quoted_number) {
    struct Case {
        const char* message;
        const char* masked;
    };
    const Case cases[] = {
        {"", ""},
        {"f.csv:3:8: '70318842650' is not a date", "f.csv:3:8: '****2650' is not a date"},
        {"'x123456789y, 987654321' is odd", "'x****6789y, ****4321' is odd"},
        {"'20260231' is not a valid date", "'20260231' is not a valid date"},
        {"statement-20261121093000.bai:3: no", "statement-20261121093000.bai:3: no"},
        {"the file's 123456789 is ours, the bank's '123456789' is not",
         "the file's 123456789 is ours, the bank's '****6789' is not"},
        {"'O'Neil 123456789' is no name", "'O'Neil ****6789' is no name"},
        {"'' and '123456789", "'' and '****6789"},
        {"'a' is not 'b', and 123456789 is not '123456789'", "'a' is not 'b', and 123456789 is not '****6789'"},
    };
    for (const auto& [message, masked] : cases)
        EXPECT_EQ(mask_quoted_numbers(message), masked);
}

}  // namespace
}  // namespace drawbridge::text
