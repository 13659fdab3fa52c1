// What the text says that a person signs: what the act is about, its amounts, and what else it causes.
#include "admin/console_acts_fixture.hpp"
#include "drawbridge/domain/digest.hpp"
#include "drawbridge/ledger/facts/changes.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/returns.hpp"

namespace drawbridge::admin {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using namespace std::chrono_literals;

TEST_F(ConsoleActs, draws_are_approved_as_they_were_looked_at) {
    rules_ = rules::parse_rules("version: 1\napprover_id: 1201\nrules: []\n", "r").value();
    ledger->transaction([&] {
        EXPECT_TRUE(ledger::make_change(
            *ledger, {maker_, ledger::ChangeKind::link, {}, ledger::Identity::approver_id, "1201"}, "test", stamp()));
    });
    read(test::sample_draw(21, DrawStatus::pending_approval, "10.00"));
    read(test::sample_draw(22, DrawStatus::pending_approval, "30.00"));
    const auto token = sign_in(maker_key_);
    const auto ask_approval = [&](json expect) {
        return challenge(token, "/draws/approve", {{"ids", {21, 22}}, {"expect", std::move(expect)}});
    };
    EXPECT_EQ(ask_approval(json::object()).status, 400);
    EXPECT_EQ(challenge(token, "/draws/approve", {{"ids", {21, 22}}, {"expected", json::object()}}).status, 400);
    // As the list and the page of a draw show it.
    json digests = json::array();
    const auto listed = ask(token, "GET", "/draws?state=pending");
    for (const auto& draw : listed.body["draws"])
        digests.push_back(draw["seen"]);
    ASSERT_EQ(digests.size(), 2U);
    EXPECT_EQ(ask(token, "GET", "/draws/22").body["draw"]["seen"], digests.at(1));
    const json seen = {{"draws", 2}, {"total", "40.00"}, {"seen", digests}};
    auto other_total = seen;
    other_total["total"] = "39.00";
    const auto changed = ask_approval(other_total);
    EXPECT_EQ(changed.status, 409);
    EXPECT_THAT(changed.error(), HasSubstr("look at the draws again"));
    EXPECT_THAT(ask_approval({{"draws", 2}, {"total", "40.00"}}).error(), HasSubstr("'expect' lacks 'seen'"));
    const auto asked = ask_approval(seen), asked_again = ask_approval(seen);
    ASSERT_EQ(asked.status, 200) << asked.error();
    const auto text = asked.body["text"].get<std::string>();
    EXPECT_THAT(text, HasSubstr("about: \"draw 22: 30.00 to Ana Alvarez (PAYEE-1)\""));
    EXPECT_EQ(ledger::line_of_act(text, "draws"), "2");
    EXPECT_EQ(ledger::line_of_act(text, "total"), "40.00");
    // Between the look and the signature the service shows another amount.
    auto larger = ledger::newest_reading(*ledger, 22)->draw;
    larger.amount_requested = Money::from_cents(3'000'000);
    larger.modified_date += std::chrono::seconds(1);
    read(larger);
    EXPECT_EQ(sign(token, asked, maker_key_).status, 409);
    EXPECT_EQ(ledger::find_draw(*ledger, 21)->state, "pending");
    larger.amount_requested = Money::from_cents(3'000);
    larger.modified_date += std::chrono::seconds(1);
    read(larger);
    // And another payee.
    const auto payee = std::exchange(larger.field_a, "PAYEE-3");
    larger.modified_date += std::chrono::seconds(1);
    read(larger);
    EXPECT_EQ(sign(token, asked_again, maker_key_).status, 409);
    EXPECT_EQ(ask_approval(seen).status, 409) << "the page still shows the first payee";
    larger.field_a = payee;
    larger.modified_date += std::chrono::seconds(1);
    read(larger);
    const auto done = sign(token, ask_approval(seen), maker_key_);
    EXPECT_EQ(done.status, 200) << done.error();
    EXPECT_EQ(done.body["amount"], "40.00");
}

TEST_F(ConsoleActs, an_act_about_a_number_names_what_has_that_number) {
    constexpr std::int64_t erin_uid = 7300;
    const auto erin = add("Erin", erin_uid, {ledger::Role::admin});
    const test::Authenticator erins(passkeys::Algorithm::es256, "key of Erin");
    give(erin, erins);
    const auto waits =
        act(admin_uid, "/people/" + std::to_string(maker_) + "/grant", {{"role", "admin"}}).body["waits_as"].dump();
    const auto about = [](const Reply& asked) {
        return ledger::line_of_act(asked.body["text"].get<std::string>(), "about");
    };
    EXPECT_EQ(about(challenge(sign_in(erins), "/people/changes/" + waits + "/confirm")),
              "\"grant admin, person " + std::to_string(maker_) + " (Mia)\"");
    ledger->transaction([&] {
        ledger::raise_exception(*ledger, {"pay", "no_payee", 7, std::nullopt, "", "no payee has the key 'X'"},
                                stamp("drawbridge"));
    });
    const auto id = std::to_string(ledger::open_exceptions(*ledger).front().exception_id);
    EXPECT_EQ(about(challenge(sign_in(maker_key_), "/exceptions/" + id + "/resolve")),
              "\"no_payee: no payee has the key 'X'\"");
    const auto of_several =
        challenge(sign_in(maker_key_), "/exceptions/resolve", {{"ids", json::array({std::stoi(id)})}});
    EXPECT_EQ(about(of_several), "\"" + id + " no_payee: no payee has the key 'X'\"");

    const auto token = sign_in(erins);
    const auto mia = "person " + std::to_string(maker_) + " (Mia)";
    for (const char* what : {"/lock", "/unlink", "/grant"})
        EXPECT_EQ(about(challenge(token, "/people/" + std::to_string(maker_) + what)), "\"" + mia + "\"") << what;
    const auto key = ledger::passkeys_of(*ledger, maker_).front().fingerprint;
    EXPECT_EQ(about(challenge(token, "/passkeys/" + key + "/lock")), R"("passkey \"laptop\" of )" + mia + "\"");
    const auto sessions = ask(token, "GET", "/sessions").body["sessions"];
    ASSERT_FALSE(sessions.empty());
    for (const auto& session : sessions) {
        const auto id_of = session["id"].get<std::string>();
        EXPECT_THAT(about(challenge(token, "/sessions/" + id_of + "/end")),
                    HasSubstr(session["by"].get<std::string>()));
    }
}

TEST_F(ConsoleActs, voiding_a_payment_names_its_amount_payee_and_file) {
    const auto row = *ledger::find_file(*ledger, file_);
    const auto payment = ledger::load_file(*ledger, row.file_id).file.payments.front();
    const auto id = disbursement::format_payment_id(payment.payment_id);
    const auto asked = challenge(sign_in(maker_key_), "/payments/" + id + "/void");
    ASSERT_EQ(asked.status, 200) << asked.error();
    const auto text = asked.body["text"].get<std::string>();
    const auto words = "payment " + id + ": 125.00 to " + payment.payee.name + " (" + payment.payee.key + ")";
    EXPECT_EQ(ledger::line_of_act(text, "about"), json(words).dump());
    EXPECT_EQ(ledger::line_of_act(text, "file"), file_);
    EXPECT_EQ(ledger::line_of_act(text, "sha256"), row.sha256);
    // A line of a bank's file that is matched to it.
    ledger->transaction([&] {
        ledger::raise_exception(*ledger, {"confirm", "file_refused", std::nullopt, std::nullopt, "bank.csv", "line 2"},
                                stamp("drawbridge"));
    });
    const auto exception = std::to_string(ledger::open_exceptions(*ledger).back().exception_id);
    const auto matched = challenge(token_, "/exceptions/" + exception + "/resolve", {{"match", id}});
    EXPECT_THAT(matched.body["text"].get<std::string>(), HasSubstr("about: " + json(words).dump() + "\n"));
}

TEST_F(ConsoleActs, nobody_signs_about_what_there_is_not) {
    constexpr std::int64_t erin_uid = 7300;
    const auto erin = add("Erin", erin_uid, {ledger::Role::admin});
    const test::Authenticator erins(passkeys::Algorithm::es256, "key of Erin");
    give(erin, erins);
    const auto of_admin = sign_in(erins), of_maker = sign_in(maker_key_);
    for (const char* path : {"/people/999/lock", "/people/999/grant", "/people/changes/999/confirm",
                             "/passkeys/00000000000000000000/lock", "/sessions/none/end"})
        EXPECT_EQ(challenge(of_admin, path).status, 404) << path;
    for (const std::string& path : {std::string("/payments/P0000000999/void"), std::string("/checks/999/void"),
                                    std::string("/exceptions/999/resolve"), std::string("/exceptions/999/undo"),
                                    "/changes/" + std::string(64, '0') + "/accept"})
        EXPECT_EQ(challenge(of_maker, path).status, 404) << path;
    EXPECT_EQ(challenge(of_maker, "/exceptions/resolve", {{"ids", json::array({999})}}).status, 404);
    EXPECT_EQ(challenge(of_maker, "/checks/1%E2%80%AE0/void").status, 400);
}

TEST_F(ConsoleActs, an_acceptance_says_what_it_changes_and_whether_it_takes_effect) {
    office_.config.change_control = {config::Control::second_person, config::Control::second_person};
    const auto file_holds = [&](const std::string& bytes) {
        const auto sha256 = sha256_hex(bytes);
        ledger->transaction(
            [&] { ledger::compare_with_file(*ledger, ledger::ControlledFile::rules, {bytes, sha256, 1000}, stamp()); });
        return sha256;
    };
    file_holds("version: 1\nrules: []\n");
    const auto path = "/changes/" + file_holds("version: 1\nrules: []  # changed\n") + "/accept";
    const auto effect = [](const Reply& asked) {
        return ledger::line_of_act(asked.body["text"].get<std::string>(), "effect");
    };
    const auto maker_token = sign_in(maker_key_);
    const auto first = challenge(maker_token, path), at_the_same_time = challenge(token_, path);
    EXPECT_EQ(ledger::line_of_act(first.body["text"].get<std::string>(), "change of"), "rules");
    EXPECT_EQ(effect(first), "waits until another person accepts it too");
    ASSERT_EQ(sign(maker_token, first, maker_key_).status, 200);
    const auto outdated = sign(token_, at_the_same_time, key_);
    EXPECT_EQ(outdated.status, 409) << "it would take effect, which was not signed";
    const auto second = challenge(token_, path);
    EXPECT_EQ(effect(second), "takes effect at once");
    const auto done = sign(token_, second, key_);
    EXPECT_EQ(done.body["in_force"], true) << done.body.dump();
}

TEST_F(ConsoleActs, who_accepted_a_change_as_a_local_user_signs_no_second_acceptance) {
    office_.config.change_control = {config::Control::second_person, config::Control::second_person};
    std::string sha256;
    for (const std::string bytes : {"version: 1\nrules: []\n", "version: 1\nrules: []  # changed\n"}) {
        sha256 = sha256_hex(bytes);
        ledger->transaction(
            [&] { ledger::compare_with_file(*ledger, ledger::ControlledFile::rules, {bytes, sha256, 1000}, stamp()); });
    }
    const std::string path = "/changes/" + sha256;
    EXPECT_EQ(ask(token_, "GET", path).body["accepted_by_you"], false);
    ASSERT_EQ(act(7002, path + "/accept").status, 200);  // Ben
    EXPECT_EQ(ask(token_, "GET", path).body["accepted_by_you"], true);
    EXPECT_THAT(challenge(token_, path + "/accept").error(), HasSubstr("counts as you"));
    EXPECT_EQ(challenge(token_, path + "/reject").status, 200);
    const auto maker_token = sign_in(maker_key_);
    EXPECT_EQ(ask(maker_token, "GET", path).body["accepted_by_you"], false);
    EXPECT_EQ(challenge(maker_token, path + "/accept").status, 200);
}

TEST_F(ConsoleActs, paying_again_names_the_amount_and_the_payee) {
    read(test::sample_draw(8, DrawStatus::approved, "80.00"));
    pay_as(stamp("uid 7001 (maker)"));
    const auto files = ledger::payment_files(*ledger, /*unreleased_only=*/false);
    const auto payment = ledger::load_file(*ledger, files.back().file_id).file.payments.front();
    ASSERT_EQ(payment.draw_id, 8);
    now += 1min;
    constexpr std::int64_t fay = 7009;
    add("Fay", fay, {ledger::Role::finance});
    confirm({{2, *payment.trace_number, ConfirmationKind::returned, payment.amount, parse_date("2026-03-05").value()}},
            "bank.csv", fay);
    now += 1min;
    const auto token = sign_in(maker_key_);
    const auto asked = challenge(token, "/draws/8/reissue");
    ASSERT_EQ(asked.status, 200) << asked.error();
    const auto text = asked.body["text"].get<std::string>();
    EXPECT_EQ(ledger::line_of_act(text, "draw"), "8");
    EXPECT_EQ(ledger::line_of_act(text, "amount"), "80.00");
    EXPECT_EQ(ledger::line_of_act(text, "payee"), "\"" + payment.payee.key + "\", \"" + payment.payee.name + "\"");
    EXPECT_EQ(ledger::line_of_act(text, "account"), payment.payee.account_number->masked());

    const auto before = office_.shared.payees;
    const std::string by_check =
        "key,name,rail,routing_number,account_number,account_type,sec_code,address1,address2,city,state,zip\n"
        "PAYEE-1,Ana Alvarez,check,,,,,1 Main St,,Springfield,IL,62701\n";
    office_.shared.payees = disbursement::PayeeDirectory::read(by_check, "payees.csv").value();
    EXPECT_THAT(challenge(token, "/draws/8/reissue").body["text"].get<std::string>(),
                AllOf(HasSubstr("Ana Alvarez"), Not(HasSubstr("\naccount:"))));
    office_.shared.payees = before;

    // The directory changes between the signature's text and the signature.
    office_.shared.payees = disbursement::PayeeDirectory();
    const auto changed = sign(token, asked, maker_key_);
    EXPECT_EQ(changed.status, 409) << changed.body.dump();
    EXPECT_FALSE(ledger::is_reissued(*ledger, 8));

    office_.shared.payees = before;
    const auto again = challenge(token, "/draws/8/reissue");
    const auto done = sign(token, again, maker_key_);
    EXPECT_EQ(done.status, 200) << done.error();
    EXPECT_TRUE(ledger::is_reissued(*ledger, 8));
    EXPECT_EQ(challenge(token, "/draws/8/reissue").status, 409) << "nobody signs in vain";
    EXPECT_THAT(violations(), IsEmpty());
}

}  // namespace
}  // namespace drawbridge::admin
