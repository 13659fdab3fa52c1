// What people do all day, in a real browser over the real console, daemon and sandbox.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <optional>
#include <string>

#include "browser/browser.hpp"
#include "e2e/web_console.hpp"

namespace drawbridge::browser {
namespace {

using e2e::eventually;
using e2e::files_in;
using testing::HasSubstr;
using testing::IsEmpty;

class Stories : public testing::Test {
  protected:
    void SetUp() override {
        if (::geteuid() != 0) GTEST_SKIP() << "not run: only root can act with other uids";
        const auto programs = find_browser();
        if (!programs) GTEST_SKIP() << "not run: chromium and chromedriver are not on this machine";
        // A file that went out and waits for the bank's word, then one that waits for its release; two exceptions.
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
    void sign_in(const Browser& browser, int person, const std::string& name) const {
        browser.open(web_->invitation(person));
        browser.wait_for_text("This key is for " + name);
        browser.type("//input[@name='label']", "the test's laptop");
        browser.click("//button[@type='submit']");
        browser.wait_for_text("Your passkey is made");
        web_->confirm_key(browser.text_of("//*[@data-fingerprint]"));
        browser.click("//a[contains(.,'Sign in')]");
        browser.wait_for_text("Use the passkey that you enrolled");
        browser.click("//button[@type='submit']");
        browser.wait_for("//a[contains(@class,'who')]");
        EXPECT_THAT(browser.text_of("//a[contains(@class,'who')]"), HasSubstr(name));
    }
    [[nodiscard]] std::string at(const std::string& path) const { return web_->origin() + path; }
    // Nothing that a page tried was against its own policy.
    static void expect_no_errors(const Browser& browser) { EXPECT_THAT(browser.errors(), IsEmpty()); }

    e2e::House house_{e2e::OfficeOptions{.release = "manual"}};
    std::optional<e2e::WebConsole> web_;
    std::optional<Driver> driver_;
};

TEST_F(Stories, a_newcomer_looks_around_by_the_link) {
    const Browser browser(*driver_);
    browser.open(web_->open_link());
    browser.wait_for("//nav[@aria-label='Main']");
    EXPECT_EQ(browser.url(), at("/"));
    EXPECT_EQ(browser.run("return document.cookie"), "");
    // From the list to one draw and its story.
    browser.click("//a[@href='/draws']");
    browser.click("//table//a[.='1']");
    browser.wait_for_text("$100.00");
    EXPECT_EQ(browser.url(), at("/draws/1"));
    // Every place, and none breaks a rule of its own page.
    for (const char* place : {"/files", "/exceptions", "/draws", "/bank-files", "/checks", "/calendar",
                              "/reconciliation", "/rules", "/audit", "/people", "/me"}) {
        browser.open(at(place));
        browser.wait_for("//main//h1");
    }
    // What only looks cannot act.
    browser.open(at("/exceptions"));
    EXPECT_FALSE(browser.has("//form[@data-act]"));
    expect_no_errors(browser);
}

TEST_F(Stories, the_second_person_releases_a_file_with_a_passkey) {
    const Browser ben(*driver_);
    sign_in(ben, 2, "Ben");
    ben.open(at("/files?state=staged"));
    ben.click("//table//a[contains(@href,'/files/ACH')]");
    ben.wait_for_text("$250.00");
    const std::string text = ben.sign_act("Release…", "totals compared");
    EXPECT_THAT(text, HasSubstr("250.00"));
    EXPECT_THAT(text, HasSubstr("totals compared"));
    EXPECT_TRUE(eventually([&] { return files_in(house_.office.outgoing()).size() == 2; })) << web_->log();
    // The act stands in the audit trail, and its signature verifies.
    ben.open(at("/sign-in"));
    expect_no_errors(ben);
    const auto verified = house_.office.run_as(e2e::WebConsole::service, {"verify"});
    EXPECT_EQ(to_string(verified.exit), "exit 0") << verified.out << verified.err;
}

TEST_F(Stories, finance_hands_in_a_bank_file_and_settles_an_exception) {
    const Browser anna(*driver_);
    sign_in(anna, 1, "Anna");
    const auto files = files_in(house_.office.outgoing());
    ASSERT_EQ(files.size(), 1U);
    const auto paid = house_.folder.path() / "paid.csv";
    e2e::write_file(paid, "payment_reference,status,amount,date\n091000010000001,paid,100.00,2026-03-04\n");
    anna.open(at("/bank-files"));
    anna.type("//input[@type='file']", paid.string());
    anna.click("//form[@data-drop]//button[@type='submit']");
    anna.wait_for_text("A preview: nothing is recorded until you take it.");
    EXPECT_THAT(anna.text(), HasSubstr("paid.csv"));
    anna.sign_act("Take", "the bank's file of today");
    anna.open(at("/bank-files"));
    anna.wait_for_text("paid.csv");

    anna.open(at("/exceptions"));
    anna.click("//table//tbody//a[1]");
    anna.sign_act("Resolve…", "looked at with the payee");
    anna.open(at("/exceptions?state=closed"));
    anna.wait_for("//table//tbody//a");
    expect_no_errors(anna);
}

TEST_F(Stories, a_pause_is_seen_in_another_tab_without_a_reload) {
    const Browser anna(*driver_), looker(*driver_);
    looker.open(web_->open_link());
    looker.wait_for("//nav[@aria-label='Main']");
    sign_in(anna, 1, "Anna");
    anna.click("//details[summary[contains(.,'Pause')]]/summary");
    anna.type("//form[@action='/pause']//*[@name='reason']", "the bank called");
    anna.click("//form[@action='/pause']//button[@type='submit']");
    anna.wait_for_text("All payments are paused.");
    looker.wait_for_text("All payments are paused.");
    expect_no_errors(anna);
    expect_no_errors(looker);
}

}  // namespace
}  // namespace drawbridge::browser
