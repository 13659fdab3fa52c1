// What strangers write, on every screen: a page must have the very same elements as with harmless words.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "pages/skeleton.hpp"

namespace drawbridge::pages {
namespace {

using samples::short_screens;
using samples::skeleton;

const std::vector<std::string> corpus = {
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' onmouseover='alert(1)",
    "</title></style></textarea></pre><svg/onload=alert(1)>",
    "javascript:alert(1)",
    "//evil.example/x",
    "https://evil.example/\"><base href=//evil.example>",
    "<!--<iframe srcdoc='<p>'>",
    "<![CDATA[<x>]]>&lt;x&gt;&#60;x&#62;",
    "{{constructor.constructor('alert(1)')()}} ${alert(1)}",
    "\xE2\x80\xAEtxt.exe \xE2\x81\xA6 a\xCC\x81",
    std::string("nul\0<b>", 7),
    "\xED\xA0\x80 lone surrogate \xFF\xC0\x80",
    "line\none\r\ntwo\x1B[31m\x07",
    std::string(3'000, '<'),
};

// Links whose parameters depend on the words have none of them for an empty word; everything else is equal.
TEST(HostileText, changes_no_element_of_any_screen) {
    for (const auto& screen : short_screens()) {
        const std::string harmless = skeleton(screen.make(Theme::light, {.stranger = "harmless"}));
        for (const auto& words : corpus) {
            const std::string page = screen.make(Theme::light, {.stranger = words});
            ASSERT_EQ(skeleton(page), harmless) << screen.name << " with " << words.substr(0, 40);
        }
    }
}

// An attribute's value that begins so would be obeyed, wherever it came from.
TEST(HostileText, becomes_no_address_of_another_host) {
    for (const auto& screen : short_screens()) {
        for (const auto& words : corpus) {
            const std::string page = screen.make(Theme::light, {.stranger = words});
            for (const std::string_view name : {" href=\"", " src=\"", " action=\"", " formaction=\""}) {
                for (auto at = page.find(name); at != std::string::npos; at = page.find(name, at + 1)) {
                    if (page[at + name.size()] == '#') continue;  // a place on the page itself
                    ASSERT_EQ(page[at + name.size()], '/') << screen.name << page.substr(at, 80);
                    ASSERT_NE(page[at + name.size() + 1], '/') << screen.name << page.substr(at, 80);
                }
            }
        }
    }
}

}  // namespace
}  // namespace drawbridge::pages
