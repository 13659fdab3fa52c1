// Facts of layout on every screen: nothing scrolls sideways, nothing is cut off, everything can be hit and reached with
// the keyboard, on paper and in forced colors too.
#include <gmock/gmock.h>

#include "browser/screens_fixture.hpp"
#include "pages/screen_list.hpp"

namespace drawbridge::browser {
namespace {

using testing::IsEmpty;

// 320 px: a telephone, or 1280 px at 400 %.
constexpr int widths[] = {320, 768, 1280};

class Layout : public ScreensTest {
  protected:
    // Calls `look` with each screen's name, open at that width.
    void on_every_screen(int width, const std::function<void(const std::string&)>& look) const {
        browser_->set_width(width);
        for (const auto& screen : pages::samples::screens()) {
            browser_->open(site_.url(screen.name));
            look(screen.name + " at " + std::to_string(width) + " px");
        }
    }
};

TEST_F(Layout, fits_the_window_and_the_finger) {
    const std::string facts = script("layout_facts.js");
    for (const int width : widths)
        on_every_screen(width,
                        [&](const std::string& where) { EXPECT_THAT(browser_->run(facts), IsEmpty()) << where; });
}

// Long lists have nothing that short ones lack.
TEST_F(Layout, shows_the_focus_and_reaches_everything_with_the_tab_key) {
    const std::string watch = script("watch_focus.js");
    const std::string not_reached = "return controls.filter((one) => !visited.has(one)).map((one) => one.outerHTML)";
    for (const int width : widths)
        on_every_screen(width, [&](const std::string& where) {
            if (where.find("-many") != std::string::npos) return;
            const auto count = browser_->run(watch).get<std::size_t>();
            browser_->press(std::vector<std::string>(count, tab_key));
            // The page's own script may add a stop after the controls were counted.
            for (int more = 0; more < 8 && !browser_->run(not_reached).empty(); ++more)
                browser_->press({tab_key});
            EXPECT_THAT(browser_->run("return focusFaults"), IsEmpty()) << where;
            EXPECT_THAT(browser_->run(not_reached), IsEmpty()) << where << ": not reached";
        });
}

TEST_F(Layout, leaves_on_paper_only_the_page) {
    browser_->emulate_media("print");
    on_every_screen(1280, [&](const std::string& where) {
        EXPECT_THAT(browser_->run(R"js(
            const unwanted = [".bar", ".places", ".foot", ".acts", ".filters", ".pager", "button"];
            const seen = unwanted.filter((one) => [...document.querySelectorAll(one)].some((found) => found.checkVisibility()));
            if (getComputedStyle(document.body).backgroundColor !== "rgb(255, 255, 255)") seen.push("a background");
            if (!document.querySelector("h1").checkVisibility()) seen.push("no heading");
            return seen;)js"),
                    IsEmpty())
            << where;
    });
}

// Backgrounds are gone there: what they told is told by borders.
TEST_F(Layout, keeps_borders_in_forced_colors) {
    browser_->emulate_media("", {{"forced-colors", "active"}});
    on_every_screen(1280, [&](const std::string& where) {
        EXPECT_THAT(browser_->run(R"js(
            const bordered = ".button, button, input:not([type=checkbox]), select, textarea, .card, .tag, .banner, .why, .n, " +
                "[aria-current=page]";
            return [...document.querySelectorAll(bordered)].filter((one) => one.checkVisibility()).filter((one) => {
              const style = getComputedStyle(one);
              return style.borderBottomStyle === "none" || parseFloat(style.borderBottomWidth) < 1;
            }).map((one) => one.outerHTML.slice(0, 100)).slice(0, 5);)js"),
                    IsEmpty())
            << where;
    });
}

}  // namespace
}  // namespace drawbridge::browser
