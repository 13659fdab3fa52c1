#include "drawbridge/text/utf8.hpp"

#include <gtest/gtest.h>

#include <string>

namespace drawbridge::text {
namespace {

std::string bytes_of(char32_t c) {
    const auto last = [&](int shift) { return static_cast<char>(0x80U | ((c >> shift) & 0x3FU)); };
    if (c < 0x80) return {static_cast<char>(c)};
    if (c < 0x800) return {static_cast<char>(0xC0U | (c >> 6U)), last(0)};
    if (c < 0x10000) return {static_cast<char>(0xE0U | (c >> 12U)), last(6), last(0)};
    return {static_cast<char>(0xF0U | (c >> 18U)), last(12), last(6), last(0)};
}

TEST(Utf8, has_every_character_but_the_surrogates) {
    for (char32_t c = 0; c < 0x120000; c += c < 0x1000 || (c & 0xFFFU) >= 0xFFC || (c & 0xFFFU) < 4 ? 1 : 7) {
        const std::string bytes = bytes_of(c);
        const bool is_valid = c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF);
        ASSERT_EQ(utf8_length(bytes + "\x80"), is_valid ? bytes.size() : 0) << std::hex << static_cast<unsigned>(c);
        if (is_valid) {
            ASSERT_EQ(utf8_character(bytes), c);
        }
        if (bytes.size() > 1) {
            ASSERT_EQ(utf8_length(bytes.substr(0, bytes.size() - 1)), 0U) << "truncated";
        }
    }
}

TEST(Utf8, has_no_overlong_forms_and_no_stray_bytes) {
    for (const char* bytes : {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xF0\x8F\xBF\xBF",
                              "\xF5\x80\x80\x80", "\xFF", "\xC3\x28", "\xC3\xC3", "\xE2\x28\xA1", "\xE2\x82\x28",
                              "\xE2\x82\xC0", "\xF0\x90\x28\xBC", "\xF0\x90\x8C\x28"})
        EXPECT_EQ(utf8_length(bytes), 0U) << bytes;
}

TEST(Utf8, is_cut_between_characters) {
    const std::string_view text = "aé€😀";  // 1, 2, 3 and 4 bytes
    for (const auto& [max, kept] :
         {std::pair(0U, 0U), {1U, 1U}, {2U, 1U}, {3U, 3U}, {5U, 3U}, {6U, 6U}, {9U, 6U}, {10U, 10U}, {99U, 10U}})
        EXPECT_EQ(utf8_prefix(text, max).size(), kept) << max;
    EXPECT_EQ(utf8_prefix("\x80\x80\x80", 2), "") << "bytes that continue nothing";
}

}  // namespace
}  // namespace drawbridge::text
