#include "drawbridge/text/json.hpp"

#include <gmock/gmock.h>

namespace drawbridge::text {
namespace {

using ::testing::HasSubstr;

std::string nested(std::size_t levels, const std::string& open = "[", const std::string& close = "]") {
    std::string text;
    for (std::size_t i = 0; i < levels; ++i)
        text += open;
    text += "1";
    for (std::size_t i = 0; i < levels; ++i)
        text += close;
    return text;
}

TEST(ParseJson, accepts_any_valid_value) {
    for (const char* text : {"{}", "[]", "null", "1", "-1.5", R"("a")", R"({"a":[1,{"b":null}],"c":"\u00e9"})"}) {
        const auto value = parse_json(text);
        ASSERT_TRUE(value) << text << ": " << value.error().message;
        EXPECT_EQ(*value, nlohmann::json::parse(text));
    }
}

TEST(ParseJson, allows_sixty_four_levels) {
    EXPECT_TRUE(parse_json(nested(64)));
    EXPECT_TRUE(parse_json(nested(64, R"({"a":)", "}")));
    for (const auto& text : {nested(65), nested(65, R"({"a":)", "}"), nested(33, R"([{"a":)", "}]")}) {
        const auto value = parse_json(text);
        ASSERT_FALSE(value) << text;
        EXPECT_EQ(value.error().code, ErrorCode::invalid_input);
        EXPECT_THAT(value.error().message, HasSubstr("nested too deeply"));
    }
}

TEST(ParseJson, counts_open_levels_but_not_text_or_siblings) {
    EXPECT_TRUE(parse_json(R"({"a":")" + std::string(1000, '[') + R"(\"[[[[\\"})"));
    std::string siblings = "[";
    for (int i = 0; i < 1000; ++i)
        siblings += "[{}],";
    EXPECT_TRUE(parse_json(siblings + "[]]"));
}

// Each of these once crashed a process, or would crash one where a parser or a reader recurses.
TEST(ParseJson, rejects_a_megabyte_of_brackets_in_any_form) {
    constexpr std::size_t megabyte = 1U << 20;
    std::string keys;
    while (keys.size() < megabyte)
        keys += R"({"a":)";
    for (const auto& text : {std::string(megabyte, '['), std::string(megabyte, '{'), keys, nested(megabyte / 2),
                             "\xef\xbb\xbf" + std::string(megabyte, '['), "[\"\\\"\"," + std::string(megabyte, '[')})
        EXPECT_FALSE(parse_json(text)) << text.substr(0, 20);
}

TEST(ParseJson, rejects_invalid_json_without_throwing) {
    const std::string texts[] = {"",
                                 " ",
                                 "{",
                                 "}",
                                 "[1,]",
                                 "{a:1}",
                                 "nul",
                                 "1 2",
                                 "\"a",
                                 "[1]]",
                                 "// a\n1",
                                 "{\"a\":1e999}",
                                 "\"\xff\xfe\"",
                                 "\"\x01\"",
                                 "\"\\",
                                 "]]]]",
                                 "NaN",
                                 "'a'",
                                 "\"\\ud800\"",
                                 std::string(1, '\0')};
    for (const auto& text : texts) {
        const auto value = parse_json(text);
        ASSERT_FALSE(value) << text;
        EXPECT_THAT(value.error().message, HasSubstr("not valid JSON"));
    }
}

}  // namespace
}  // namespace drawbridge::text
