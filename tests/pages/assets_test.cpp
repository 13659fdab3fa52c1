#include "drawbridge/pages/assets.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace drawbridge::pages {
namespace {

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

TEST(Assets, are_small) {
    std::size_t scripts = 0, styles = 0;
    for (const Asset& asset : assets())
        (asset.name.ends_with(".js") ? scripts : styles) += asset.bytes.size();
    EXPECT_LT(scripts, 40'000U);
    EXPECT_LT(styles, 40'000U);
}

}  // namespace
}  // namespace drawbridge::pages
