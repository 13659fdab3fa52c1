// A house with its console and people, and how they come to their pages in a browser.
//
// A file went out and waits for the bank's word, one of $250.00 waits for its release, and an exception is open.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <optional>
#include <string>
#include <vector>

#include "browser/browser.hpp"
#include "e2e/web_console.hpp"

namespace drawbridge::browser {

class Stories : public testing::Test {
  protected:
    void SetUp() override {
        if (::geteuid() != 0) GTEST_SKIP() << "not run: only root can act with other uids";
        const auto programs = find_browser();
        if (!programs) GTEST_SKIP() << "not run: chromium and chromedriver are not on this machine";
        house_.sandbox.add({1, 100'00, "ACH-1"});
        house_.sandbox.add({2, 99'00, "NOBODY"});
        house_.office.run_once();
        house_.office.release_what_waits();
        house_.sandbox.disburse_all_approved();
        house_.sandbox.add({3, 250'00, "ACH-2"});
        house_.office.run_once();
        web_.emplace(house_.office);
        driver_.emplace(*programs, house_.folder.path());
    }

    // By the invitation, through the key that Erin confirms, to a session of that person.
    void enroll(const Browser& browser, int person, const std::string& name) const {
        browser.open(web_->invitation(person));
        browser.wait_for_text("This key is for " + name);
        browser.type("//input[@name='label']", "the test's laptop");
        browser.click("//button[@type='submit']");
        browser.wait_for_text("Your passkey is made");
        web_->confirm_key(browser.text_of("//*[@data-fingerprint]"));
        browser.click("//a[contains(.,'Sign in')]");
        come_back(browser);
        EXPECT_THAT(browser.text_of("//a[contains(@class,'who')]"), testing::HasSubstr(name));
    }
    // From the page that asks for the passkey.
    static void come_back(const Browser& browser) {
        browser.wait_for_text("Use the passkey that you enrolled");
        browser.click("//button[@type='submit']");
        browser.wait_for("//a[contains(@class,'who')]");
    }
    // The page of the file that waits for its release.
    void open_waiting_file(const Browser& browser) const {
        browser.open(at("/files?state=staged"));
        browser.click("//table//a[contains(@href,'/files/ACH')]");
        browser.wait_for_text("$250.00");
    }
    [[nodiscard]] std::size_t files_out() const { return e2e::files_in(house_.office.outgoing()).size(); }
    void expect_verified() const {
        const auto verified = house_.office.run_as(e2e::WebConsole::service, {"verify"});
        EXPECT_EQ(to_string(verified.exit), "exit 0") << verified.out << verified.err;
    }
    // At a terminal.
    void arrange(unsigned uid, const std::vector<std::string>& words) const {
        const auto outcome = web_->act(uid, words);
        EXPECT_EQ(to_string(outcome.exit), "exit 0") << outcome.err;
    }
    // Root proposes, Erin agrees.
    void give_role(int person, const std::string& role) const {
        arrange(0, {"people", "role", std::to_string(person), role});
        confirm_changes();
    }
    void confirm_changes() const {
        const auto listed = house_.office.run_as(e2e::WebConsole::erin, {"people", "list", "--json"}).out;
        const auto people = e2e::Json::parse(listed);
        for (const auto& change : people.at("waiting"))
            arrange(e2e::WebConsole::erin, {"people", "confirm", change.at("id").dump()});
    }
    [[nodiscard]] std::string at(const std::string& path) const { return web_->origin() + path; }
    // Nothing that a page tried was against its own policy.
    static void expect_no_errors(const Browser& browser) { EXPECT_THAT(browser.errors(), testing::IsEmpty()); }

    e2e::House house_{e2e::OfficeOptions{.release = "manual"}};
    std::optional<e2e::WebConsole> web_;
    std::optional<Driver> driver_;
};

}  // namespace drawbridge::browser
