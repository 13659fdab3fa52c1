#include "drawbridge/pages/html.hpp"

#include <gtest/gtest.h>

namespace drawbridge::pages {
namespace {

// What a page must not be made of does not compile. These say so, as far as a test can.
static_assert(std::constructible_from<Html, std::string>);
static_assert(!std::constructible_from<Attribute, std::string, std::string>);  // a name that is no literal
static_assert(!std::constructible_from<Tag, std::string>);
static_assert(!std::constructible_from<Link, std::string>);  // an address that nobody checked
static_assert(!std::constructible_from<Attribute, AddressName, std::string>);
static_assert(!std::constructible_from<Html, int>);
static_assert(!std::constructible_from<Html, bool>);

TEST(Html, escapes_text_in_content_and_attributes) {
    const std::string stranger = "<script>alert(\"x\") & 'y'</script>";
    EXPECT_EQ(el("p", stranger).markup(), "<p>&lt;script&gt;alert(&quot;x&quot;) &amp; &#39;y&#39;&lt;/script&gt;</p>");
    EXPECT_EQ(el("p", {{"title", stranger}}).markup(),
              "<p title=\"&lt;script&gt;alert(&quot;x&quot;) &amp; &#39;y&#39;&lt;/script&gt;\"></p>");
}

TEST(Html, nests_elements_and_closes_all_but_void_ones) {
    EXPECT_EQ(el("div", el("p", "a", el("br"), "b"), el("input", {{"name", "q"}})).markup(),
              "<div><p>a<br>b</p><input name=\"q\"></div>");
}

TEST(Html, leaves_an_attribute_out_that_has_no_value) {
    EXPECT_EQ(el("a", {{"href", Link("/")}, {"aria-current", std::optional<std::string>()}}, "Today").markup(),
              "<a href=\"/\">Today</a>");
    EXPECT_EQ(el("p", {{"hidden", true}}).markup(), "<p hidden></p>");
    EXPECT_EQ(el("p", {{"hidden", false}}).markup(), "<p></p>");
}

TEST(Html, keeps_lines_only_where_asked_to) {
    EXPECT_EQ(el("pre", Html::with_lines("a\r\n<b>\nc")).markup(), "<pre>a\n&lt;b&gt;\nc</pre>");
    EXPECT_EQ(Html("a\nb").markup(), "a?b");
}

TEST(Html, replaces_what_cannot_be_shown) {
    const std::string turned =
        "a\xE2\x80\xAE"
        "b" +
        std::string(1, '\0') + "\xFF";
    EXPECT_EQ(Html(turned).markup(), "a?b??");
}

TEST(Link, encodes_segments_and_values) {
    EXPECT_EQ((Link("/files") / "a/b c?.ach").text(), "/files/a%2Fb%20c%3F.ach");
    EXPECT_EQ(Link("/draws").with("text", "a&b=c").with("state", "held").text(), "/draws?text=a%26b%3Dc&state=held");
    EXPECT_EQ(Link("/draws").with("state", "").text(), "/draws");
    EXPECT_EQ((Link("/files") / "..").text(), "/files/-");
}

TEST(Link, takes_only_paths_of_this_console) {
    EXPECT_EQ(Link::local("/draws/17?a=b#c")->text(), "/draws/17?a=b#c");
    for (const char* path : {"", "draws", "//evil.example", "/\\evil.example", "https://evil.example",
                             "javascript:alert(1)", "/a b", "/a\nb", "/\x01", "/\xC3\xA9"})
        EXPECT_FALSE(Link::local(path)) << path;
    EXPECT_FALSE(Link::local("/" + std::string(3000, 'a')));
}

}  // namespace
}  // namespace drawbridge::pages
