#include "drawbridge/domain/ascii.hpp"

#include <gtest/gtest.h>

namespace drawbridge {
namespace {

TEST(Ascii, has_26_letters_of_each_case_and_10_digits_in_any_locale) {
    std::string digits, upper, lower, both;
    for (int c = -128; c < 128; ++c) {
        const char letter = static_cast<char>(c);
        if (is_digit(letter)) digits += letter;
        if (is_upper(letter)) upper += letter;
        if (is_lower(letter)) lower += letter;
        if (is_letter_or_digit(letter)) both += letter;
    }
    EXPECT_EQ(digits, "0123456789");
    EXPECT_EQ(upper, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    EXPECT_EQ(lower, "abcdefghijklmnopqrstuvwxyz");
    EXPECT_EQ(both, digits + upper + lower);
    EXPECT_EQ(lowercase("Zoë [AZ] @`09"), "zoë [az] @`09");
    EXPECT_EQ(uppercase("Zoë [az] @`09"), "ZOë [AZ] @`09");
}

TEST(Ascii, takes_only_digits_as_a_number) {
    EXPECT_TRUE(is_number("0123456789"));
    for (const char* other : {"", "12a", "a12", "1 2", "-1", "1.0"})
        EXPECT_FALSE(is_number(other)) << other;
    EXPECT_TRUE(all_digits(""));
    EXPECT_TRUE(all_digits("07"));
    EXPECT_FALSE(all_digits("0x7"));
}

}  // namespace
}  // namespace drawbridge
