#include "drawbridge/passkeys/encoding.hpp"

#include <gtest/gtest.h>

namespace drawbridge::passkeys {
namespace {

TEST(Encoding, base64url_has_no_padding_and_uses_its_own_two_characters) {
    EXPECT_EQ(to_base64url(std::string("\xfb\xff\xfe", 3)), "-__-");
    EXPECT_EQ(to_base64url("a"), "YQ");
    EXPECT_EQ(to_base64url(""), "");
    EXPECT_EQ(from_base64url("-__-"), std::string("\xfb\xff\xfe", 3));
    EXPECT_EQ(from_base64url(""), "");
}

TEST(Encoding, refuses_what_is_not_base64url) {
    for (const char* text : {"YQ==", "+//+", "Y Q", "YR", "Y", "YQ\n"})
        EXPECT_EQ(from_base64url(text), std::nullopt) << text;
}

TEST(Encoding, compares_whole_texts) {
    EXPECT_TRUE(equal_in_constant_time("abc", "abc"));
    EXPECT_FALSE(equal_in_constant_time("abc", "abd"));
    EXPECT_FALSE(equal_in_constant_time("abc", "abcd"));
}

}  // namespace
}  // namespace drawbridge::passkeys
