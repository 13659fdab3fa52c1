// axe-core, a widely used checker of web accessibility, on every screen: no violation of WCAG 2.2 AA, nor of its own
// best practices. scripts/install-deps --with-tests fetches it.
#include <gmock/gmock.h>

#include <cstdlib>

#include "browser/screens_fixture.hpp"
#include "pages/screen_list.hpp"

namespace drawbridge::browser {
namespace {

namespace fs = std::filesystem;
using testing::IsEmpty;

// Where scripts/install-deps puts it.
fs::path axe_file() {
    const char* cache = std::getenv("XDG_CACHE_HOME");
    const char* home = std::getenv("HOME");
    const fs::path folder =
        cache != nullptr && *cache != '\0' ? fs::path(cache) : fs::path(home == nullptr ? "" : home) / ".cache";
    return folder / "drawbridge-tests" / "axe-core-4.14.1" / "axe.min.js";
}

class Axe : public ScreensTest {
  protected:
    void SetUp() override {
        const std::string axe = fs::exists(axe_file()) ? e2e::read_file(axe_file()) : "";
        if (axe.empty()) GTEST_SKIP() << "not run: there is no " << axe_file() << ": scripts/install-deps --with-tests";
        ScreensTest::SetUp();
        if (!IsSkipped()) on_every_page(axe);
    }
    // One line for each violation: the rule, what it wants, the element.
    void expect_no_violation(pages::Theme theme) const {
        for (const auto& screen : pages::samples::screens()) {
            browser_->open(site_.url(screen.name, theme));
            EXPECT_THAT(browser_->run(script("run_axe.js")), IsEmpty()) << screen.name;
        }
    }
};

TEST_F(Axe, finds_no_violation_on_a_light_screen) {
    expect_no_violation(pages::Theme::light);
}

TEST_F(Axe, finds_no_violation_on_a_dark_screen) {
    expect_no_violation(pages::Theme::dark);
}

}  // namespace
}  // namespace drawbridge::browser
