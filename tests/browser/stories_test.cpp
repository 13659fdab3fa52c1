// What people do all day, in a real browser over the real console, daemon and sandbox.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <optional>
#include <string>

#include "browser/stories_fixture.hpp"

namespace drawbridge::browser {
namespace {

using e2e::eventually;
using e2e::files_in;
using testing::HasSubstr;
using testing::IsEmpty;

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
    enroll(ben, 2, "Ben");
    open_waiting_file(ben);
    const std::string text = ben.sign_act("Release…", "totals compared");
    EXPECT_THAT(text, HasSubstr("250.00"));
    EXPECT_THAT(text, HasSubstr("totals compared"));
    EXPECT_TRUE(eventually([&] { return files_in(house_.office.outgoing()).size() == 2; })) << web_->log();
    // The act stands in the audit trail, and its signature verifies.
    ben.open(at("/sign-in"));
    expect_no_errors(ben);
    expect_verified();
}

TEST_F(Stories, a_file_is_released_by_keyboard_alone) {
    const Browser ben(*driver_);
    enroll(ben, 2, "Ben");
    const auto focused = [&] { return ben.run("return document.activeElement.textContent.trim()").get<std::string>(); };
    const auto comes_into_focus = [&](const std::string& text) {
        return eventually([&] { return focused() == text; });
    };
    ben.press({"g", "r"});
    ben.wait_for("//a[@aria-current='page'][contains(.,'Files')]");
    ben.wait_for("//tr[@data-open]");
    // The newest file is the one that waits.
    ben.press({"j"});
    EXPECT_THAT(focused(), HasSubstr("ACH"));
    ben.press({" "});
    ben.wait_for("//dialog[@open][contains(.,'$250.00')]");
    ben.press({escape_key});
    ben.press({enter_key});
    ben.wait_for("//summary[contains(.,'Release…')]");
    ben.press({"r"});
    ben.wait_for("//details[@open]//form[@aria-label='Sign and release']");
    EXPECT_TRUE(eventually([&] { return ben.run("return document.activeElement.name") == "reason"; }));
    ben.press({"o", "k", "a", "y"});
    ben.press({tab_key});
    EXPECT_TRUE(comes_into_focus("Sign and release")) << focused();
    ben.press({enter_key});
    ben.wait_for("//dialog[@open]");
    EXPECT_THAT(ben.text_of("//dialog//pre"), HasSubstr("okay"));
    EXPECT_TRUE(comes_into_focus("Sign with your passkey")) << focused();
    ben.press({enter_key});
    ben.wait_for_text("It is signed and in the audit trail");
    EXPECT_TRUE(eventually([&] { return files_out() == 2; })) << web_->log();
    expect_no_errors(ben);
}

TEST_F(Stories, finance_hands_in_a_bank_file_and_settles_an_exception) {
    const Browser anna(*driver_);
    enroll(anna, 1, "Anna");
    const auto files = files_in(house_.office.outgoing());
    ASSERT_EQ(files.size(), 1U);
    const auto paid = house_.folder.path() / "paid.csv";
    e2e::write_file(paid, "payment_reference,status,amount,date\n091000010000001,paid,100.00,2026-03-04\n");
    anna.open(at("/bank-files"));
    anna.type("//input[@type='file']", paid.string());
    anna.click("//form[@data-drop]//button[@type='submit']");
    anna.wait_for_text("A preview: nothing is recorded until you take it.");
    EXPECT_THAT(anna.text(), HasSubstr("paid.csv"));
    EXPECT_THAT(anna.sign_act("Take", "the bank’s file of today, for Zoë"), HasSubstr("bank’s file of today, for Zoë"));
    anna.open(at("/bank-files"));
    anna.wait_for_text("paid.csv");

    // The receipt's numbers as the bank prints them.
    anna.open(at("/files/" + files.front().filename().string()));
    const std::string receipt = "//details[summary[contains(.,'receipt')]]";
    anna.click(receipt + "/summary");
    anna.type(receipt + "//*[@name='payments:number']", "1,37");
    anna.type(receipt + "//*[@name='total:amount']", "$100.0");
    anna.type(receipt + "//*[@name='reason']", "compared");
    anna.click(receipt + "//button[@type='submit']");
    anna.wait_for_text("'1,37' is not a whole number: write it like 1370 or 1,370.");
    EXPECT_FALSE(anna.has("//dialog[@open]"));
    anna.type(receipt + "//*[@name='payments:number']", "0");
    anna.click(receipt + "//button[@type='submit']");
    anna.wait_for("//dialog[@open]");
    EXPECT_THAT(anna.text_of("//dialog//pre"), HasSubstr(R"(body: {"payments":1370,"total":"100.00"})"));
    anna.press({escape_key});
    expect_verified();

    anna.open(at("/exceptions"));
    anna.click("//table//tbody//a[1]");
    anna.sign_act("Resolve…", "looked at with the payee");
    anna.open(at("/exceptions?state=closed"));
    anna.wait_for("//table//tbody//a");
    expect_no_errors(anna);
}

TEST_F(Stories, one_key_prolongs_a_session_that_is_about_to_end) {
    const Browser ben(*driver_);
    enroll(ben, 2, "Ben");
    ben.open(at("/files"));
    ben.wait_for("//nav[@aria-label='Main']");
    // Beside a notice about something else.
    ben.run(
        "document.getElementById('notice').hidden = false;"
        "document.querySelector('[data-session]').dateTime = new Date(Date.now() + 60000).toISOString();"
        "document.dispatchEvent(new Event('visibilitychange'))");
    ben.wait_for("//button[contains(.,'Stay signed in')]");
    ben.press({"y"});
    EXPECT_TRUE(eventually([&] {
        return ben.run("return Date.parse(document.querySelector('[data-session]').dateTime) - Date.now() > 600000")
            .get<bool>();
    }));
    EXPECT_TRUE(eventually([&] { return !ben.has("//button[contains(.,'Stay signed in')]"); }));
    expect_no_errors(ben);
}

TEST_F(Stories, draws_are_read_again_and_explained_with_other_rules) {
    const Browser anna(*driver_);
    enroll(anna, 1, "Anna");
    anna.open(at("/draws"));
    anna.click("//input[@aria-label='Select all']");
    anna.click("//div[@data-refresh]//button");
    anna.wait_for_text("3 draws were read again, 0 changed.");
    anna.open(at("/reconciliation"));
    anna.click("//button[.='Read draws again']");
    anna.wait_for_text(" read again, 0 changed.");
    anna.open(at("/draws/2"));
    anna.click("//summary[contains(.,'Try other rules')]");
    anna.type("//textarea[@name='text']",
              "version: 1\napprover_id: 1201\nrules:\n- {name: wait, when: always, hold: tried on the page}\n");
    anna.click("//button[contains(.,'Explain with these rules')]");
    anna.wait_for_text("What the pasted rules would decide now");
    EXPECT_THAT(anna.text(), HasSubstr("tried on the page"));
    EXPECT_THAT(anna.text(), HasSubstr("Why, by the rules in force now"));
    expect_no_errors(anna);
}

TEST_F(Stories, an_admin_ends_a_session_that_somebody_left_open) {
    const Browser anna(*driver_), ben(*driver_);
    give_role(1, "admin");
    enroll(ben, 2, "Ben");
    enroll(anna, 1, "Anna");
    anna.open(at("/people"));
    anna.wait_for_text("127.0.0.1");
    anna.click("//tr[contains(.,'Ben')]//summary[contains(.,'End…')]");
    anna.type("//tr[contains(.,'Ben')]//details[@open]//*[@name='reason']", "left open in the lobby");
    anna.click("//tr[contains(.,'Ben')]//details[@open]//button[@type='submit']");
    anna.click("//dialog//button[@value='yes']");
    anna.wait_for_text("It is signed and in the audit trail");
    ben.wait_for_text("Use the passkey that you enrolled");
    expect_no_errors(anna);
}

TEST_F(Stories, arrow_keys_walk_through_the_calendar_and_enter_opens_the_day) {
    const Browser browser(*driver_);
    browser.open(web_->open_link());
    browser.wait_for("//nav[@aria-label='Main']");
    browser.open(at("/calendar?from=2026-11-01&to=2026-11-30"));
    browser.wait_for("//a[@data-day='2026-11-25']");
    browser.run("document.querySelector(\"[data-day='2026-11-25']\").focus()");
    const auto focused = [&] {
        return browser.run("return document.activeElement.dataset.day || ''").get<std::string>();
    };
    browser.press({arrow_right_key, arrow_up_key});
    EXPECT_EQ(focused(), "2026-11-19");
    browser.press({arrow_down_key, arrow_down_key});
    browser.wait_for("//a[@data-day='2026-12-03']");
    EXPECT_TRUE(eventually([&] { return focused() == "2026-12-03"; }));
    browser.press({enter_key});
    browser.wait_for("//h1[contains(.,'December 3')]");
    EXPECT_EQ(browser.url(), at("/calendar/2026-12-03"));
    expect_no_errors(browser);
}

TEST_F(Stories, a_pause_is_seen_in_another_tab_without_a_reload) {
    const Browser anna(*driver_), looker(*driver_);
    looker.open(web_->open_link());
    looker.wait_for("//nav[@aria-label='Main']");
    enroll(anna, 1, "Anna");
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
