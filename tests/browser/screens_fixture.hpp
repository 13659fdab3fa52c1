// A browser before the sample screens, at the samples' own time of day.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "browser/browser.hpp"
#include "browser/sample_site.hpp"
#include "e2e/process.hpp"

namespace drawbridge::browser {

class ScreensTest : public testing::Test {
  protected:
    void SetUp() override {
        const auto programs = find_browser();
        if (!programs) GTEST_SKIP() << "not run: chromium and chromedriver are not on this machine";
        driver_.emplace(*programs, folder_.path());
        browser_.emplace(*driver_);
        browser_->emulate_media("", {{"prefers-reduced-motion", "reduce"}});
        // Countdowns, as of the samples' own instant.
        on_every_page("Date.now = () => Date.parse('2026-11-23T18:19:00Z');");
    }
    void on_every_page(const std::string& script) const {
        browser_->command("Page.addScriptToEvaluateOnNewDocument", {{"source", script}});
    }
    // A script of this folder: the body of a function.
    [[nodiscard]] static std::string script(const std::string& name) {
        return e2e::read_file(std::string(DRAWBRIDGE_SOURCE_DIR) + "/tests/browser/" + name);
    }

    e2e::TemporaryFolder folder_;
    SampleSite site_;
    std::optional<Driver> driver_;
    std::optional<Browser> browser_;
};

}  // namespace drawbridge::browser
