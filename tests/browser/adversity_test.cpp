// What goes wrong between a look and a signature, in a real browser: makers, races, changes, ended sessions, a daemon
// that dies. Money moves once or not at all, and the page says what happened.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "browser/stories_fixture.hpp"

namespace drawbridge::browser {
namespace {

using e2e::eventually;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Adversity : public Stories {
  protected:
    // As an operator at a terminal: the file that waits goes nowhere any more.
    void void_waiting_file() const {
        const auto files = e2e::Json::parse(house_.office.run_as(e2e::WebConsole::service, {"files", "--json"}).out);
        for (const auto& file : files.at("files")) {
            if (file.at("state") != "staged") continue;
            const auto voided = house_.office.run_as(operator_uid, {"void", file.at("name"), "--reason", "wrong payee"},
                                                     {e2e::WebConsole::service});
            EXPECT_EQ(to_string(voided.exit), "exit 0") << voided.err;
        }
    }
    void make_an_operator() const {
        arrange(0, {"people", "add", "Olga"});
        arrange(0, {"people", "link", "4", "--uid", std::to_string(operator_uid)});
        confirm_changes();
        give_role(4, "operator");
    }

    static constexpr unsigned operator_uid = 5105;
};

TEST_F(Adversity, a_maker_is_refused_and_told_who_may) {
    house_.sandbox.add({4, 30'000'00, "ACH-3"});
    arrange(0, {"people", "add", "Carla"});
    give_role(4, "releaser");
    arrange(0, {"people", "link", "2", "--approver-id", "1201"});
    give_role(2, "operator");
    const Browser ben(*driver_), carla(*driver_);
    enroll(carla, 4, "Carla");
    enroll(ben, 2, "Ben");
    ASSERT_TRUE(eventually([&] {
        ben.open(at("/draws?state=held"));
        return ben.has("//table//a[.='4']");
    }));
    ben.open(at("/draws/4"));
    ben.sign_act("Approve…", "the director agrees");
    ASSERT_TRUE(eventually([&] {
        ben.open(at("/draws/4"));
        return ben.text().find("approved") != std::string::npos;
    }));
    // The cut-off.
    web_->kill_daemon();
    house_.office.run_as(e2e::WebConsole::service, {"run", "--once"});
    house_.office.run_as(e2e::WebConsole::service, {"run", "--once"});
    web_->start_daemon();
    ben.open(at("/files?state=staged"));
    come_back(ben);
    ben.click("//table//tr[contains(.,'30,000.00')]//a[contains(@href,'/files/ACH')]");
    ben.wait_for_text("You may not release this file.");
    EXPECT_THAT(ben.text(), AllOf(HasSubstr("approved draw 4"), HasSubstr("released by Carla")));
    EXPECT_FALSE(ben.has("//summary[contains(.,'Release')]"));
    // Nor with his signature under a request that no page makes.
    const auto refused = ben.run(R"js(
        const {ask, sign} = await import(document.querySelector("script[src$='act.js']").src.replace("act.js", "passkey.js"));
        const act = {method: "POST", path: `${location.pathname}/release`, body: {reason: "I say so"}};
        try {
          const challenge = await ask("/api/acts/challenge", act);
          await ask(`/api/acts/${challenge.act_id}`, await sign(challenge));
          return "done";
        } catch (refusal) {
          return refusal.message;
        })js");
    EXPECT_THAT(refused.get<std::string>(), AllOf(HasSubstr("you had a hand in it"), HasSubstr("approved draw 4")));
    EXPECT_EQ(files_out(), 1U);
    expect_verified();
}

TEST_F(Adversity, of_two_people_who_release_the_same_file_one_does) {
    arrange(0, {"people", "add", "Carla"});
    give_role(4, "releaser");
    const Browser ben(*driver_), carla(*driver_);
    enroll(ben, 2, "Ben");
    enroll(carla, 4, "Carla");
    open_waiting_file(ben);
    open_waiting_file(carla);
    ben.read_act("Release…", "totals compared");
    carla.read_act("Release…", "compared too");
    ben.sign();
    carla.sign();
    const std::string done = "It is signed and in the audit trail";
    const auto refused = [&](const Browser& one) { return one.has("//form//p[@role='alert'][not(@hidden)]"); };
    ASSERT_TRUE(eventually([&] {
        return (ben.text().find(done) != std::string::npos && refused(carla)) ||
               (carla.text().find(done) != std::string::npos && refused(ben));
    })) << ben.text()
        << carla.text();
    const auto& second = refused(carla) ? carla : ben;
    EXPECT_THAT(second.text_of("//form//p[@role='alert'][not(@hidden)]"), HasSubstr("release")) << second.text();
    EXPECT_TRUE(eventually([&] { return files_out() == 2; }));
    expect_verified();
}

TEST_F(Adversity, a_file_that_was_voided_since_the_look_is_not_released) {
    make_an_operator();
    const Browser early(*driver_), late(*driver_);
    enroll(early, 2, "Ben");
    enroll(late, 2, "Ben");
    open_waiting_file(early);
    open_waiting_file(late);
    late.read_act("Release…", "totals compared");
    void_waiting_file();
    // One has the text to sign before him, the other still the old page.
    late.sign();
    late.wait_for("//form//p[@role='alert'][contains(.,'void')]");
    early.click("//summary[contains(.,'Release…')]");
    early.type("//form[@aria-label='Sign and release']//*[@name='reason']", "totals compared");
    early.click("//form[@aria-label='Sign and release']//button");
    early.wait_for("//form//p[@role='alert'][contains(.,'void')]");
    EXPECT_FALSE(early.has("//dialog[@open]"));
    EXPECT_EQ(files_out(), 1U);
    expect_verified();
}

TEST_F(Adversity, a_device_gets_one_passkey_of_a_person_from_whichever_link_is_good) {
    const Browser ben(*driver_);
    enroll(ben, 2, "Ben");
    ben.open(at("/enroll#wrong"));
    ben.wait_for_text("the code was used already, is too old");
    const std::string shown = "return document.querySelector('form button').checkVisibility()";
    EXPECT_FALSE(ben.run(shown).get<bool>());
    EXPECT_THAT(ben.text(), AllOf(HasSubstr("(drawbridge people invite ID --reason …)"),
                                  Not(HasSubstr("Reading your invitation"))));
    // In the same tab.
    ben.open(web_->invitation(2));
    ben.wait_for_text("This key is for Ben");
    EXPECT_TRUE(ben.run(shown).get<bool>());
    ben.type("//input[@name='label']", std::string(61, 'x'));
    EXPECT_EQ(ben.run("return document.querySelector('[name=label]').value.length"), 60);
    ben.verify_user(false);
    ben.click("//button[@type='submit']");
    ben.wait_for_text("No passkey was made. Try again");
    ben.verify_user(true);
    ben.click("//button[@type='submit']");
    ben.wait_for_text("This device already has a passkey of yours.");
    ben.open(at("/sign-in"));
    come_back(ben);
}

TEST_F(Adversity, a_wrong_release_code_may_be_typed_again_without_another_signature) {
    const Browser ben(*driver_);
    enroll(ben, 2, "Ben");
    open_waiting_file(ben);
    // As a daemon with console.release_code answers.
    ben.run(R"js(
        const real = window.fetch, get = navigator.credentials.get.bind(navigator.credentials);
        window.signatures = 0;
        navigator.credentials.get = (options) => { ++window.signatures; return get(options); };
        window.fetch = async (path, options) => {
          if (path === "/api/acts/challenge")
            return Response.json({...await (await real(path, options)).json(), release_code_wanted: true});
          if (!path.startsWith("/api/acts/") || JSON.parse(options.body).release_code === "12345678")
            return real(path, options);
          return Response.json({error: {message: "not the code: 2 more tries", tries_left: 2}}, {status: 403});
        })js");
    ben.read_act("Release…", "totals compared");
    const auto signatures = [&] { return ben.run("return window.signatures").get<int>(); };
    ben.press({enter_key});
    EXPECT_TRUE(ben.has("//dialog[@open]"));
    EXPECT_EQ(signatures(), 0) << "without a code nothing is signed";
    ben.press({"1", enter_key});
    ben.wait_for("//dialog[@open]//p[@role='alert'][contains(.,'2 more tries')]");
    ben.press({"1", "2", "3", "4", "5", "6", "7"});
    EXPECT_EQ(signatures(), 1);
    ben.press({"8", enter_key});
    ben.wait_for_text("It is signed and in the audit trail");
    EXPECT_TRUE(eventually([&] { return files_out() == 2; }));
    expect_verified();
}

TEST_F(Adversity, nothing_is_signed_for_whom_the_authenticator_does_not_know) {
    const Browser ben(*driver_);
    enroll(ben, 2, "Ben");
    open_waiting_file(ben);
    ben.read_act("Release…", "totals compared");
    ben.verify_user(false);
    ben.sign();
    ben.wait_for_text("Nothing was signed: the passkey was not used.");
    EXPECT_EQ(files_out(), 1U);
    // His finger on the reader again: the form is as he left it.
    ben.verify_user(true);
    ben.click("//form[@aria-label='Sign and release']//button");
    ben.wait_for("//dialog[@open]");
    ben.sign();
    ben.wait_for_text("It is signed and in the audit trail");
    EXPECT_TRUE(eventually([&] { return files_out() == 2; }));
}

TEST_F(Adversity, the_same_bank_file_counts_once) {
    const Browser anna(*driver_);
    enroll(anna, 1, "Anna");
    const auto paid = house_.folder.path() / "paid.csv", again = house_.folder.path() / "paid-again.csv";
    const std::string bytes = "payment_reference,status,amount,date\n091000010000001,paid,100.00,2026-03-04\n";
    e2e::write_file(paid, bytes);
    e2e::write_file(again, bytes);
    const auto hand_in = [&](const std::filesystem::path& file) {
        anna.open(at("/bank-files"));
        anna.type("//input[@type='file']", file.string());
        anna.click("//form[@data-drop]//button[@type='submit']");
    };
    hand_in(paid);
    anna.wait_for_text("A preview: nothing is recorded until you take it.");
    anna.sign_act("Take", "the bank's file of today");
    hand_in(again);
    anna.wait_for_text("This file was taken before.");
    EXPECT_FALSE(anna.has("//summary[contains(.,'Take')]"));
    anna.click("//a[contains(.,'Open the taken file')]");
    anna.wait_for_text("Taken");
    EXPECT_THAT(anna.text(), HasSubstr("paid.csv"));
    anna.open(at("/bank-files"));
    EXPECT_THAT(anna.text(), AllOf(HasSubstr("paid.csv"), Not(HasSubstr("paid-again.csv"))));
    expect_verified();
}

TEST_F(Adversity, a_session_that_ends_in_a_half_filled_form_takes_nothing_along) {
    const Browser ben(*driver_);
    enroll(ben, 2, "Ben");
    open_waiting_file(ben);
    ben.click("//summary[contains(.,'Release…')]");
    const std::string reason = "//form[@aria-label='Sign and release']//*[@name='reason']";
    ben.type(reason, "compared line by line, which took an hour");
    const std::string page = ben.url();
    EXPECT_EQ(web_->ask_daemon("DELETE", "/session", nullptr, ben.cookie("drawbridge-session")).status, 200);
    ben.wait_for_text("Your session has ended.");
    EXPECT_EQ(ben.url(), page);
    // Without a look at the banner.
    ben.click("//form[@aria-label='Sign and release']//button");
    ben.wait_for("//form//p[@role='alert'][contains(.,'session has ended')]");
    ben.in_another_tab([&] {
        ben.open(at("/sign-in"));
        come_back(ben);
    });
    EXPECT_EQ(ben.run("return document.querySelector('[name=reason]:not([id^=pause])').value"),
              "compared line by line, which took an hour");
    ben.click("//form[@aria-label='Sign and release']//button");
    ben.wait_for("//dialog[@open]");
    EXPECT_THAT(ben.text_of("//dialog//pre"), HasSubstr("which took an hour"));
    ben.sign();
    ben.wait_for_text("It is signed and in the audit trail");
    EXPECT_TRUE(eventually([&] { return files_out() == 2; }));
}

TEST_F(Adversity, an_open_page_says_that_the_daemon_is_away_and_comes_back) {
    const Browser ben(*driver_);
    enroll(ben, 2, "Ben");
    open_waiting_file(ben);
    const std::string page = ben.url();
    web_->kill_daemon();
    ben.wait_for_text("The daemon does not answer.");
    EXPECT_THAT(ben.text(), HasSubstr("$250.00")) << "what was known stays";
    web_->start_daemon();
    // Its sessions ended with it.
    come_back(ben);
    EXPECT_EQ(ben.url(), page);
    // The page tries again every few seconds.
    EXPECT_TRUE(eventually([&] { return ben.text().find("does not answer") == std::string::npos; })) << ben.text();
}

// The daemon dies at each step of a release that was signed, with the page open.
class DeathDuringRelease : public Adversity, public testing::WithParamInterface<const char*> {};

TEST_P(DeathDuringRelease, sends_the_file_once) {
    const Browser ben(*driver_);
    enroll(ben, 2, "Ben");
    web_->kill_daemon();
    web_->start_daemon(std::string(GetParam()) + ":1");
    ben.open(at("/files?state=staged"));
    come_back(ben);
    open_waiting_file(ben);
    const std::string page = ben.url();
    ben.read_act("Release…", "totals compared");
    ben.sign();
    EXPECT_TRUE(web_->daemon_died()) << web_->log();
    ben.wait_for_text("Check whether it was done before you try again.");
    ben.wait_for_text("The daemon does not answer.");
    web_->start_daemon();
    // The reason that he typed is still there, so the page stays until he goes.
    ben.wait_for_text("Your session has ended.");
    ben.open(page);
    come_back(ben);
    // What he signed was ordered, or he orders it again.
    const bool is_out = eventually([&] { return files_out() == 2; }, std::chrono::seconds(3));
    if (!is_out) {
        open_waiting_file(ben);
        ben.sign_act("Release…", "it did not go the first time");
        EXPECT_TRUE(eventually([&] { return files_out() == 2; })) << web_->log();
    }
    EXPECT_TRUE(eventually([&] {
        ben.open(page);
        return ben.text().find("waiting for release") == std::string::npos;
    }));
    EXPECT_FALSE(ben.has("//summary[contains(.,'Release…')]"));
    EXPECT_EQ(files_out(), 2U);
    expect_verified();
}

INSTANTIATE_TEST_SUITE_P(CrashPoints, DeathDuringRelease,
                         testing::Values("pay.release_ordered", "pay.release_read", "pay.release_committed",
                                         "pay.manifest_durable", "pay.released_renamed", "pay.released_committed"),
                         [](const auto& point) {
                             std::string name = point.param;
                             name[name.find('.')] = '_';
                             return name;
                         });

}  // namespace
}  // namespace drawbridge::browser
