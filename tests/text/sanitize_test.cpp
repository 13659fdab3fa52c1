#include "drawbridge/text/sanitize.hpp"

#include <gtest/gtest.h>

namespace drawbridge::text {
namespace {

using Sanitizer = std::string (*)(std::string_view);
constexpr Sanitizer all[] = {for_terminal, for_log, for_mail, for_csv, for_html};

TEST(Sanitize, every_output_replaces_control_and_direction_characters) {
    for (const Sanitizer sanitize : all) {
        EXPECT_EQ(sanitize("a\x1B[2Jb\x7F"), "a?[2Jb?");
        EXPECT_EQ(sanitize(std::string_view("a\0b", 3)), "a?b");
        EXPECT_EQ(sanitize("a\u009B2Jb\u0080\u009F"), "a?2Jb??");
        EXPECT_EQ(sanitize("pay \u202Eeod enaj\u202C \u2066x\u2069 \u200E\u200F\u061C"), "pay ?eod enaj? ?x? ???");
        EXPECT_EQ(sanitize("a\u2028b\u2029c\uFEFF"), "a?b?c?");
        EXPECT_EQ(sanitize("tag \U000E0041"), "tag ?");
        EXPECT_EQ(sanitize("\x9B"
                           "2J \xC3 \xE2\x80"),
                  "?2J ? ??");  // bytes that are not UTF-8
        EXPECT_EQ(sanitize("Peña Łódź 李雷 \U0001F600 \u00A0 ʻ"), "Peña Łódź 李雷 \U0001F600 \u00A0 ʻ");
        EXPECT_EQ(sanitize(""), "");
    }
}

TEST(Sanitize, replaces_characters_that_show_nothing) {
    for (const char* nothing : {"\u00ad", "\u200b", "\u200d", "\u2060", "\u3164", "\ufe0f", "\U000e0100"})
        EXPECT_EQ(for_terminal("a" + std::string(nothing) + "b"), "a?b");
    EXPECT_EQ(for_terminal("\u00a0Zoë – 猫"), "\u00a0Zoë – 猫");
}

TEST(Sanitize, sees_text_as_people_do) {
    EXPECT_EQ(as_seen("\u00a0block\u200bed\u2009de\u00adposit\u3000"), " blocked deposit ");
    EXPECT_EQ(as_seen("a\tb\nZoë \xFF"), "a b Zoë \xFF");
    EXPECT_EQ(as_seen("do  not\r\n \u200b pay"), "do not pay");
    EXPECT_EQ(as_seen(std::string("secu\0rity\x01 de\x7Fpo\u0080sit\uFFFE", 24)), "security deposit");
}

TEST(Sanitize, keeps_line_ends_only_in_mail) {
    EXPECT_EQ(for_terminal("a\nb\tc\r"), "a?b?c?");
    EXPECT_EQ(for_log("a\nb\tc\r"), "a b?c ");
    EXPECT_EQ(for_mail("a\nb\tc\r"), "a\nb?c?");
    EXPECT_EQ(for_html("a\nb"), "a?b");
}

TEST(Sanitize, neutralizes_a_cell_that_begins_like_a_formula) {
    for (const char* cell : {"=1+1", "+1", "-1", "@SUM(A1)", "=HYPERLINK(\"http://x\")", "＝1", "＋1", "－1", "＠x"})
        EXPECT_EQ(for_csv(cell), "'" + std::string(cell));
    EXPECT_EQ(for_csv("\t=1"), "'?=1");
    EXPECT_EQ(for_csv("\r=1"), "'?=1");
    EXPECT_EQ(for_csv("\n=1"), "'?=1");
    for (const char* cell : {"1250.00", "Jane = Doe", "'quoted'", "2026-11-20", "a-b"})
        EXPECT_EQ(for_csv(cell), cell);
}

TEST(Sanitize, escapes_html) {
    EXPECT_EQ(for_html("<b a=\"c\">&'"), "&lt;b a=&quot;c&quot;&gt;&amp;&#39;");
}

TEST(Sanitize, keeps_the_meaning_of_json) {
    EXPECT_EQ(for_json("{\n \"a\": \"x\u009B\u202Ey\U000E0041\x7F é\"}"),
              "{\n \"a\": \"x\\u009b\\u202ey\\udb40\\udc41\\u007f é\"}");
}

}  // namespace
}  // namespace drawbridge::text
