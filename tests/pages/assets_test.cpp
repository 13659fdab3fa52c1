#include "drawbridge/pages/assets.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "drawbridge/text/sanitize.hpp"

namespace drawbridge::pages {
namespace {

using ::testing::HasSubstr;

TEST(Assets, are_found_under_the_address_that_pages_name) {
    ASSERT_FALSE(assets().empty());
    for (const Asset& asset : assets()) {
        const Asset* found = find_asset(asset_link(asset.name).text());
        ASSERT_NE(found, nullptr) << asset.name;
        EXPECT_EQ(found->name, asset.name);
        EXPECT_FALSE(found->bytes.empty()) << asset.name;
    }
}

TEST(Assets, are_nothing_else) {
    const std::string version(assets_version());
    const std::vector<std::string> paths = {"/assets/app.css",
                                            "/assets/0000/app.css",
                                            "/app.css",
                                            "/assets/" + version,
                                            "/assets/" + version + "/",
                                            "/assets/" + version + "/../app.css",
                                            "/assets/" + version + "/modules"};
    for (const auto& path : paths)
        EXPECT_EQ(find_asset(path), nullptr) << path;
}

// The content security policy of the console allows none of this, and no other host.
TEST(Assets, name_no_other_host_and_make_no_markup_from_text) {
    for (const Asset& asset : assets()) {
        for (const std::string_view word :
             {"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function",
              "setTimeout(\"", "http://", "https://", "@import", ".style."}) {
            std::string bytes(asset.bytes);
            // The name of SVG's own namespace is no address.
            for (auto at = bytes.find("http://www.w3.org/2000/svg"); at != std::string::npos;
                 at = bytes.find("http://www.w3.org/2000/svg"))
                bytes.erase(at, std::string_view("http://www.w3.org/2000/svg").size());
            EXPECT_EQ(bytes.find(word), std::string::npos) << asset.name << ": " << word;
        }
    }
}

// What a person signs looks in the dialog as it does on the page.
TEST(Assets, show_the_same_characters_as_pages_do) {
    std::string characters;
    for (char32_t c = 0, begin = 0; c <= 0x10FFFF; ++c) {
        const auto is_replaced = [](char32_t one) { return one != '\n' && text::is_unprintable(one); };
        if (!is_replaced(c)) continue;
        if (c == 0 || !is_replaced(c - 1)) begin = c;
        if (is_replaced(c + 1)) continue;
        characters += fmt::format("\\u{{{:x}}}", static_cast<unsigned>(begin));
        if (c > begin) characters += fmt::format("-\\u{{{:x}}}", static_cast<unsigned>(c));
    }
    const auto text_of = [](const std::string& name) {
        return std::string(find_asset(asset_link(name).text())->bytes);
    };
    EXPECT_THAT(text_of("modules/passkey.js"), HasSubstr("/[" + characters + "]/gu"));
    EXPECT_THAT(text_of("modules/act.js"), HasSubstr("printable(challenge.text)"));
    EXPECT_THAT(text_of("modules/enroll.js"), HasSubstr("printable(name)"));
}

TEST(Assets, are_small) {
    std::size_t scripts = 0, styles = 0;
    for (const Asset& asset : assets())
        (asset.name.ends_with(".js") ? scripts : styles) += asset.bytes.size();
    EXPECT_LT(scripts, 40'000U);
    EXPECT_LT(styles, 40'000U);
}

}  // namespace
}  // namespace drawbridge::pages
