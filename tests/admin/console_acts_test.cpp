// Signed acts: exactly the act that was signed, once, by the right person, with the right key, here and now.
#include <openssl/pem.h>

#include "admin/console_fixture.hpp"
#include "drawbridge/domain/digest.hpp"
#include "drawbridge/ledger/facts/changes.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/exports.hpp"
#include "drawbridge/ledger/facts/returns.hpp"
#include "drawbridge/reconciliation/manifest.hpp"
#include "store/connection.hpp"

namespace drawbridge::admin {
namespace {

using ledger::FileState;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using namespace std::chrono_literals;

class ConsoleActs : public ConsoleFixture {
  protected:
    ConsoleActs() {
        give(ben_, key_);
        give(maker_, maker_key_);
        file_ = stage(7);
        token_ = sign_in(key_);
    }
    Reply ask_release() { return challenge(token_, "/files/" + file_ + "/release"); }
    // The file still waits, and nothing was recorded as signed.
    void expect_untouched() {
        EXPECT_EQ(state_of(file_), FileState::staged);
        EXPECT_FALSE(ledger::find_signed_act(*ledger, 1));
    }

    std::string file_, token_;
};

TEST_F(ConsoleActs, a_signature_releases_exactly_the_file_of_its_text) {
    const auto asked = ask_release();
    ASSERT_EQ(asked.status, 200) << asked.error();
    const auto row = *ledger::find_file(*ledger, file_);
    const auto text = asked.body["text"].get<std::string>();
    EXPECT_EQ(ledger::line_of_act(text, "file"), file_);
    EXPECT_EQ(ledger::line_of_act(text, "sha256"), row.sha256);
    EXPECT_EQ(ledger::line_of_act(text, "payments"), "1");
    EXPECT_EQ(ledger::line_of_act(text, "total"), "125.00");
    EXPECT_EQ(ledger::line_of_act(text, "person"), std::to_string(ben_) + " (Ben)");
    EXPECT_EQ(ledger::line_of_act(text, "ledger"), ledger->ledger_id());
    EXPECT_EQ(ledger::line_of_act(text, "reason"), "\"agreed\"");
    EXPECT_EQ(challenge_in(asked), sha256(text));
    const auto done = sign(token_, asked, key_);
    ASSERT_EQ(done.status, 200) << done.error();
    EXPECT_EQ(done.body["file"]["state"], "released");
    EXPECT_EQ(ledger::find_signed_act(*ledger, 1)->text, text);
    EXPECT_THAT(violations(), IsEmpty());
    const auto shown = send(admin_uid, "GET", "/acts/1");
    EXPECT_EQ(shown.body["verifies"], true) << shown.body.dump();
}

// So that an auditor with the manifest and the signed acts ties the file to the signature, without the ledger.
TEST_F(ConsoleActs, the_manifest_names_the_text_that_was_signed_for_a_release) {
    static_cast<void>(sign(token_, ask_release(), key_));
    const auto made_by_hand = stage(8);
    ledger->transaction([&] {
        const auto file = ledger::find_file(*ledger, made_by_hand).value();
        EXPECT_TRUE(ledger::order_release(*ledger, file, "test", stamp(releaser_)));
    });
    const auto lines = ledger::exports_after(*ledger, 0);
    ASSERT_EQ(lines.size(), 2U);
    const auto signed_line = reconciliation::parse_line(lines[0].line.text).value();
    const auto act = ledger::find_signed_act(*ledger, 1).value();
    EXPECT_EQ(signed_line.act_sha256, sha256_hex(act.text));
    const auto challenge = json::parse(act.assertion.client_data)["challenge"];
    EXPECT_EQ(challenge, passkeys::to_base64url(sha256(act.text))) << "the same hash, which the key signed";
    EXPECT_EQ(signed_line.sha256, ledger::line_of_act(act.text, "sha256"));
    EXPECT_EQ(reconciliation::parse_line(lines[1].line.text).value().act_sha256, "") << "released in a terminal";
    EXPECT_THAT(violations(), IsEmpty());
    // A later act about the same file changes nothing of it.
    ledger->transaction([&] {
        auto later = act;
        later.text += "again\n";
        ledger::record_signed_act(*ledger, later, ledger::passkeys_of(*ledger, ben_).front(),
                                  {moving_.at, "Ben (console)", ledger::console_uid(ben_)});
    });
    EXPECT_EQ(ledger::exports_after(*ledger, 0)[0].line.text, lines[0].line.text);
    for (const auto& known : ledger::known_exports(*ledger))
        EXPECT_EQ(known.derived_sha256, known.line_sha256);
}

TEST_F(ConsoleActs, an_export_that_names_no_act_of_its_release_is_a_breach) {
    ABOUT_THE_FILE();
    static_cast<void>(sign(token_, ask_release(), key_));
    EXPECT_THAT(violations(), IsEmpty());
    ledger->connection().db.exec("DROP TRIGGER export_act_no_delete");
    ledger->connection().db.exec("DELETE FROM export_act");
    EXPECT_THAT(violations(), testing::Contains(HasSubstr("names no signed act that releases this file")));
}

TEST_F(ConsoleActs, a_release_is_not_done_without_a_signature) {
    const auto refused = ask(token_, "POST", "/files/" + file_ + "/release", {{"reason", "agreed"}});
    EXPECT_EQ(refused.status, 403);
    expect_untouched();
}

TEST_F(ConsoleActs, a_maker_is_refused_before_anything_is_signed) {
    const auto token = sign_in(maker_key_);
    const auto asked = challenge(token, "/files/" + file_ + "/release");
    EXPECT_EQ(asked.status, 403);
    EXPECT_THAT(asked.error(), HasSubstr("you had a hand in it"));
    EXPECT_EQ(state_of(file_), FileState::staged);
}

TEST_F(ConsoleActs, an_act_is_done_once) {
    const auto asked = ask_release();
    EXPECT_EQ(sign(token_, asked, key_).status, 200);
    EXPECT_EQ(sign(token_, asked, key_).status, 404);
}

TEST_F(ConsoleActs, an_act_is_too_old_after_two_minutes) {
    const auto asked = ask_release();
    moving_.at += 2min;
    EXPECT_EQ(sign(token_, asked, key_).status, 404);
    expect_untouched();
}

TEST_F(ConsoleActs, anothers_signature_does_not_count) {
    EXPECT_EQ(sign(token_, ask_release(), maker_key_).status, 403);
    const test::Authenticator stranger(passkeys::Algorithm::es256, "key of Ben");
    EXPECT_EQ(sign(token_, ask_release(), stranger).status, 403) << "the id of one key, the signature of another";
    expect_untouched();
}

TEST_F(ConsoleActs, an_act_belongs_to_the_session_that_asked_for_it) {
    const auto asked = ask_release();
    EXPECT_EQ(sign(sign_in(maker_key_), asked, key_).status, 404);
    EXPECT_EQ(sign(sign_in(key_), asked, key_).status, 404) << "another session of the same person";
    EXPECT_EQ(sign(open_link(7002), asked, key_).status, 404);
    expect_untouched();
}

TEST_F(ConsoleActs, the_signature_for_one_file_releases_no_other) {
    const auto other = stage(8);
    const auto for_this = ask_release();
    const auto for_other = challenge(token_, "/files/" + other + "/release");
    const auto signature = as_body(key_.id(), key_.sign(challenge_in(for_this)));
    EXPECT_EQ(ask(token_, "POST", "/acts/" + for_other.body["act_id"].get<std::string>(), signature).status, 403);
    EXPECT_EQ(state_of(other), FileState::staged);
}

TEST_F(ConsoleActs, another_site_and_an_unverified_user_are_refused) {
    const Site wrong[] = {{.origin = "http://evil.example"}, {.id = "evil.example"},   {.type = "webauthn.create"},
                          {.user_present = false},           {.user_verified = false}, {.cross_origin = true}};
    for (const auto& site : wrong)
        EXPECT_EQ(sign(token_, ask_release(), key_, site).status, 403);
    expect_untouched();
}

TEST_F(ConsoleActs, one_changed_bit_anywhere_is_refused) {
    for (const char* part : {"client_data", "authenticator_data", "signature"}) {
        const auto asked = ask_release();
        json body = as_body(key_.id(), key_.sign(challenge_in(asked)));
        auto bytes = passkeys::from_base64url(body[part].get<std::string>()).value();
        bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x04);
        body[part] = passkeys::to_base64url(bytes);
        EXPECT_EQ(ask(token_, "POST", "/acts/" + asked.body["act_id"].get<std::string>(), body).status, 403) << part;
    }
    expect_untouched();
}

TEST_F(ConsoleActs, a_key_that_was_locked_meanwhile_signs_nothing) {
    const auto asked = ask_release();
    const auto fingerprint = ledger::passkeys_of(*ledger, ben_).front().fingerprint;
    ASSERT_EQ(act(admin_uid, "/passkeys/" + fingerprint + "/lock").status, 200);
    EXPECT_EQ(sign(token_, asked, key_).status, 401);
    expect_untouched();
}

TEST_F(ConsoleActs, a_file_that_changed_since_the_look_is_not_signed) {
    const auto refused =
        challenge(token_, "/files/" + file_ + "/release", {{"expect", {{"sha256", std::string(64, 'a')}}}});
    EXPECT_EQ(refused.status, 409);
    EXPECT_THAT(refused.error(), HasSubstr("look again"));
}

TEST_F(ConsoleActs, only_acts_are_signed) {
    EXPECT_EQ(challenge(token_, "/pause").status, 400);
    EXPECT_EQ(challenge(token_, "/console/link").status, 400);
    EXPECT_EQ(challenge(token_, "/nothing").status, 400);
    EXPECT_EQ(challenge(token_, "/files/" + file_ + "/release?x=1").status, 400);
    EXPECT_EQ(challenge(token_, "/pay").status, 403) << "that takes the role operator";
    EXPECT_EQ(ask(token_, "POST", "/acts/challenge",
                  {{"method", "POST"}, {"path", "/files/" + file_ + "/release"}, {"body", json::object()}})
                  .status,
              400)
        << "without a reason";
}

TEST_F(ConsoleActs, a_reason_adds_no_line_to_the_text) {
    const auto asked = ask(token_, "POST", "/acts/challenge",
                           {{"method", "POST"},
                            {"path", "/files/" + file_ + "/release"},
                            {"body", {{"reason", "good\nsha256: 00\ntotal: 1.00"}}}});
    const auto text = asked.body["text"].get<std::string>();
    EXPECT_EQ(ledger::line_of_act(text, "total"), "125.00");
    EXPECT_EQ(text.find("\nsha256: 00"), std::string::npos);
}

TEST_F(ConsoleActs, the_schema_refuses_a_release_in_the_console_without_a_signature) {
    const ledger::Stamp by{now, "Ben (console)", ledger::console_uid(ben_)};
    EXPECT_ANY_THROW(ledger->transaction(
        [&] { (void)ledger::order_release(*ledger, *ledger::find_file(*ledger, file_), "forged", by); }));
}

TEST_F(ConsoleActs, a_person_is_one_maker_in_the_console_and_at_the_command_line) {
    // Mia made the file with her uid; her console name is the same person.
    const auto file = *ledger::find_file(*ledger, file_);
    EXPECT_FALSE(ledger::check_may_release(*ledger, file, {now, "Mia (console)", ledger::console_uid(maker_)}));
    EXPECT_TRUE(ledger::check_may_release(*ledger, file, {now, "Ben (console)", ledger::console_uid(ben_)}));
}

TEST_F(ConsoleActs, a_command_line_release_is_refused_where_only_signed_ones_count) {
    office_.config.console.signed_release_only = true;
    EXPECT_THAT(act(7002, "/files/" + file_ + "/release").error(), HasSubstr("console.release is signed"));
    expect_untouched();
    EXPECT_EQ(sign(token_, ask_release(), key_).status, 200);
}

// Page and signature have the same bytes; what a page cannot show stands as JSON escapes it.
TEST_F(ConsoleActs, the_text_shows_every_letter_and_nothing_that_hides) {
    const auto token = sign_in(maker_key_);
    const auto asked = ask(token, "POST", "/acts/challenge",
                           {{"method", "POST"},
                            {"path", "/files/" + file_ + "/void"},
                            {"body", {{"reason", "Zoë’s 🏠: a\u202eb\u200b\nc"}}}});
    ASSERT_EQ(asked.status, 200) << asked.error();
    const auto text = asked.body["text"].get<std::string>();
    EXPECT_EQ(ledger::line_of_act(text, "reason"), "\"Zoë’s 🏠: a\\u202eb\\u200b\\nc\"");
    EXPECT_EQ(challenge_in(asked), sha256(text));
    EXPECT_EQ(sign(token, asked, maker_key_).status, 200);
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(ConsoleActs, a_large_release_needs_the_code_that_went_by_mail) {
    office_.config.console.release_code_above = Money::from_cents(10'000);
    const auto asked = ask_release();
    EXPECT_EQ(asked.body["release_code_wanted"], true);
    ASSERT_EQ(office_.program.mails.size(), 1U);
    const auto& mailed = office_.program.mails.front();
    EXPECT_THAT(mailed, HasSubstr("total: 125.00"));
    EXPECT_THAT(asked.body.dump(), ::testing::Not(HasSubstr("Release code")));
    const auto at = mailed.find("Release code: ") + 14;
    const auto code = mailed.substr(at, 8);
    json body = as_body(key_.id(), key_.sign(challenge_in(asked)));
    const auto path = "/acts/" + asked.body["act_id"].get<std::string>();
    EXPECT_EQ(ask(token_, "POST", path, body).status, 403);
    body["release_code"] = code == "00000000" ? "00000001" : "00000000";
    const auto wrong = ask(token_, "POST", path, body);
    EXPECT_EQ(wrong.status, 403);
    EXPECT_EQ(wrong.body["error"]["tries_left"], 1);
    EXPECT_THAT(wrong.error(), HasSubstr("is not the one that was mailed: 1 more try"));
    expect_untouched();
    body["release_code"] = code;
    EXPECT_EQ(ask(token_, "POST", path, body).status, 200);
}

// Sending a file again lets it out, too.
TEST_F(ConsoleActs, an_upload_ordered_again_needs_what_a_release_needs) {
    ASSERT_EQ(sign(token_, ask_release(), key_).status, 200);
    office_.config.console.signed_release_only = true;
    office_.config.console.release_code_above = Money::from_cents(10'000);
    EXPECT_THAT(act(7002, "/files/" + file_ + "/deliver", {{"how", "again"}}).error(),
                HasSubstr("console.release is signed: send " + file_ + " again in the console"));
    ledger->transaction([&] {
        ledger::raise_exception(*ledger, {"pay", "delivery_uncertain", std::nullopt, std::nullopt, file_, "no answer"},
                                stamp());
    });
    const auto id = std::to_string(ledger::open_exceptions(*ledger).back().exception_id);
    for (const std::string& path : {"/files/" + file_ + "/deliver", "/exceptions/" + id + "/deliver"}) {
        const auto asked = challenge(token_, path, {{"how", "again"}});
        ASSERT_EQ(asked.status, 200) << asked.error();
        EXPECT_EQ(asked.body["release_code_wanted"], true) << path;
        EXPECT_EQ(ledger::line_of_act(asked.body["text"].get<std::string>(), "total"), "125.00");
        const auto by_hand = challenge(token_, path, {{"how", "by_hand"}});
        EXPECT_EQ(by_hand.status == 200 && by_hand.body["release_code_wanted"] == true, false) << path;
    }
}

TEST_F(ConsoleActs, three_wrong_codes_end_the_act) {
    office_.config.console.release_code_above = Money::from_cents(10'000);
    const auto asked = ask_release();
    for (const int status : {403, 403, 403, 404})
        EXPECT_EQ(sign(token_, asked, key_).status, status);
    expect_untouched();
}

TEST_F(ConsoleActs, who_asks_for_many_codes_sends_few_mails) {
    office_.config.console.release_code_above = Money::from_cents(10'000);
    for (const int status : {200, 200, 200, 409, 409})
        EXPECT_EQ(ask_release().status, status);
    EXPECT_THAT(ask_release().error(), HasSubstr("or ask again in two minutes"));
    EXPECT_EQ(office_.program.mails.size(), 3U);
    moving_.at += 2min;
    EXPECT_EQ(ask_release().status, 200);
}

TEST_F(ConsoleActs, wrong_codes_make_no_room_for_more_mails) {
    office_.config.console.release_code_above = Money::from_cents(10'000);
    for (int asked = 0; asked < 3; ++asked) {
        const auto waiting = ask_release();
        ASSERT_EQ(waiting.status, 200);
        for (int wrong = 0; wrong < 3; ++wrong)
            EXPECT_EQ(sign(token_, waiting, key_).status, 403);
    }
    EXPECT_EQ(ask_release().status, 409);
    EXPECT_EQ(office_.program.mails.size(), 3U);
}

TEST_F(ConsoleActs, who_asks_for_many_acts_pushes_out_their_own_oldest_and_nobody_elses) {
    const auto of_ben = ask_release();
    const auto token_of_maker = sign_in(maker_key_);
    const auto pay = [&] { return challenge(token_of_maker, "/pay"); };
    const auto oldest = pay();
    ASSERT_EQ(oldest.status, 200) << oldest.error();
    for (int asked = 0; asked < 1100; ++asked) {
        ++moving_.at;
        ASSERT_EQ(pay().status, 200);
    }
    EXPECT_EQ(sign(token_of_maker, oldest, maker_key_).status, 404);
    EXPECT_EQ(sign(token_, of_ben, key_).status, 200);
}

TEST_F(ConsoleActs, other_acts_make_no_room_for_more_mails) {
    office_.config.console.release_code_above = Money::from_cents(10'000);
    const auto small = stage(8, "5.00");
    for (int asked = 0; asked < 3; ++asked)
        ASSERT_EQ(ask_release().status, 200);
    for (int asked = 0; asked < 20; ++asked)
        ASSERT_EQ(challenge(token_, "/files/" + small + "/release").status, 200);
    EXPECT_EQ(ask_release().status, 409);
}

TEST_F(ConsoleActs, a_persons_further_upload_drops_their_oldest_and_nobody_elses) {
    constexpr std::int64_t fay = 7009;
    add("Fay", fay, {ledger::Role::finance});
    const auto of_fay = send(fay, "POST", "/ingest", json::object()).body["upload"].get<std::string>();
    std::vector<std::string> uploads;
    for (int open = 0; open < 20; ++open) {
        const auto begun = ask(token_, "POST", "/ingest", json::object());
        ASSERT_EQ(begun.status, 200) << open << begun.error();
        uploads.push_back(begun.body["upload"].get<std::string>());
    }
    EXPECT_EQ(office_.spool.uploads_of(ledger::console_uid(ben_)),
              std::vector<std::string>(uploads.end() - 8, uploads.end()));
    EXPECT_EQ(office_.spool.uploads_of(fay), std::vector{of_fay});
}

TEST_F(ConsoleActs, the_upload_of_a_file_that_was_taken_before_is_dropped_after_its_preview) {
    constexpr std::int64_t fay = 7009;
    add("Fay", fay, {ledger::Role::finance});
    const std::string bytes = "payment_reference,status,amount,date\nX,paid,1.00,2026-03-04\n";
    const auto upload = [&] {
        const auto target = "/ingest/" + send(fay, "POST", "/ingest", json::object()).body["upload"].get<std::string>();
        EXPECT_EQ(send_bytes(fay, target + "/bytes?offset=0", bytes).status, 200);
        return target;
    };
    const json named = {{"name", "bank.csv"}, {"keep", true}};
    const auto first = upload();
    EXPECT_EQ(send(fay, "POST", first + "/preview", named).body["fate"], "applied");
    EXPECT_EQ(office_.spool.uploads_of(fay).size(), 1U) << "it can be taken as it was seen";
    ASSERT_EQ(act(fay, first + "/take", {{"name", "bank.csv"}}).status, 200);
    EXPECT_EQ(send(fay, "POST", upload() + "/preview", named).body["fate"], "repeated");
    EXPECT_TRUE(office_.spool.uploads_of(fay).empty());
}

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

// What an auditor gets is enough to verify an act without Drawbridge.
TEST_F(ConsoleActs, signed_acts_are_listed_with_their_proof) {
    ASSERT_EQ(sign(token_, ask_release(), key_).status, 200);
    const auto maker_token = sign_in(maker_key_);
    stage(9);
    const auto file = ledger::payment_files(*ledger, /*unreleased_only=*/true).back().name;
    ASSERT_EQ(sign(maker_token, challenge(maker_token, "/files/" + file + "/void"), maker_key_).status, 200);
    const auto listed = send(admin_uid, "GET", "/acts?total=true");
    ASSERT_EQ(listed.status, 200) << listed.error();
    ASSERT_EQ(listed.body["acts"].size(), 2U);
    EXPECT_EQ(listed.body["total"], 2);
    for (const auto& act : listed.body["acts"]) {
        const auto bytes = [&](const char* key) {
            return passkeys::from_base64url(act[key].get<std::string>()).value();
        };
        const auto client_data = json::parse(bytes("client_data"));
        EXPECT_EQ(client_data["challenge"], passkeys::to_base64url(sha256(act["text"].get<std::string>())));
        const std::string pem = act["public_key"];
        const std::unique_ptr<BIO, decltype(&BIO_free)> bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())),
                                                            BIO_free);
        const std::unique_ptr<EVP_PKEY, test::FreeKey> key(PEM_read_bio_PUBKEY(bio.get(), nullptr, nullptr, nullptr));
        ASSERT_TRUE(key) << pem;
        const auto verifies = [&](const std::string& signed_bytes) {
            const auto* hash = act["algorithm"] == "EdDSA" ? nullptr : EVP_sha256();
            const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
            EVP_DigestVerifyInit(context.get(), nullptr, hash, nullptr, key.get());
            const auto signature = bytes("signature");
            return EVP_DigestVerify(context.get(), reinterpret_cast<const unsigned char*>(signature.data()),
                                    signature.size(), reinterpret_cast<const unsigned char*>(signed_bytes.data()),
                                    signed_bytes.size()) == 1;
        };
        EXPECT_TRUE(verifies(bytes("authenticator_data") + sha256(bytes("client_data"))));
        EXPECT_FALSE(verifies(bytes("authenticator_data") + sha256("other client data")));
    }
    const auto second = send(admin_uid, "GET", "/acts?limit=1&after=1");
    EXPECT_EQ(second.body["acts"][0]["act_id"], 2);
    EXPECT_EQ(second.body["next_after"], nullptr);
    EXPECT_EQ(send(anna, "GET", "/acts").status, 403);
}

TEST_F(ConsoleActs, a_counter_that_does_not_grow_is_a_copied_key) {
    const auto other = stage(8);
    const auto release_with = [&](const std::string& file, unsigned char counter) {
        Site site;
        site.counter = counter;
        return sign(token_, challenge(token_, "/files/" + file + "/release"), key_, site);
    };
    EXPECT_EQ(release_with(file_, 7).status, 200);
    for (const unsigned char counter : {std::uint8_t{7}, std::uint8_t{6}, std::uint8_t{0}})
        EXPECT_THAT(release_with(other, counter).error(), HasSubstr("may have been copied"));
    EXPECT_EQ(state_of(other), FileState::staged);
    const auto open = ledger::open_exceptions(*ledger);
    ASSERT_EQ(open.size(), 1U);
    EXPECT_EQ(open[0].what.reason_code, "passkey_cloned");
    // Whichever device is the copy, the key neither signs nor signs in until a person has looked.
    Site site;
    site.counter = 9;
    EXPECT_THAT(release_with(other, 8).error(), HasSubstr("is not used until exception passkey_cloned is closed"));
    EXPECT_EQ(sign_in_reply(key_, site).status, 401);
    EXPECT_EQ(state_of(other), FileState::staged);
    ledger->transaction(
        [&] { EXPECT_TRUE(ledger::close_exception(*ledger, open[0].exception_id, "a broken device", stamp("Mia"))); });
    EXPECT_EQ(release_with(other, 8).status, 200);
    EXPECT_EQ(sign_in_reply(key_, site).status, 200);
}

TEST_F(ConsoleActs, a_counter_that_does_not_grow_opens_no_session) {
    const auto sign_in_with = [&](unsigned char counter) {
        Site site;
        site.counter = counter;
        return sign_in_reply(key_, site);
    };
    EXPECT_EQ(sign_in_with(5).status, 200);
    const auto refused = sign_in_with(5);
    EXPECT_EQ(refused.status, 401);
    EXPECT_THAT(refused.error(), HasSubstr("may have been copied"));
    EXPECT_EQ(sign_in_with(6).status, 401);
    EXPECT_EQ(ledger::open_exceptions(*ledger).front().what.reason_code, "passkey_cloned");
    EXPECT_EQ(sign_in_reply(maker_key_).status, 200) << "another key is not asked";
}

TEST_F(ConsoleActs, the_counter_of_the_enrollment_and_of_a_sign_in_outlive_a_restart) {
    const test::Authenticator key(passkeys::Algorithm::eddsa, "another key of Ben");
    Site site;
    site.counter = 5;
    const auto enrolled = enroll(invite(ben_, root), key, site);
    ASSERT_EQ(enrolled.status, 200) << enrolled.error();
    ASSERT_EQ(act(admin_uid, "/passkeys/" + enrolled.body["fingerprint"].get<std::string>() + "/confirm").status, 200);
    const auto resolve = [&] {
        ledger->transaction([&] {
            for (const auto& open : ledger::open_exceptions(*ledger))
                EXPECT_TRUE(ledger::close_exception(*ledger, open.exception_id, "looked at", stamp("Mia")));
        });
    };
    EXPECT_THAT(sign_in_reply(key, site).error(), HasSubstr("its signature counter was 5 and is now 5"));
    resolve();
    site.counter = 9;
    EXPECT_EQ(sign_in_reply(key, site).status, 200);
    Console restarted;
    console_context_.console = &restarted;
    site.counter = 8;
    EXPECT_THAT(sign_in_reply(key, site).error(), HasSubstr("its signature counter was 9 and is now 8"));
    resolve();
    site.counter = 10;
    EXPECT_EQ(sign_in_reply(key, site).status, 200);
}

TEST_F(ConsoleActs, a_clock_that_is_set_back_ends_sessions_and_acts) {
    const auto asked = ask_release();
    moving_.at -= 24h;
    EXPECT_EQ(sign(token_, asked, key_).status, 401);
    expect_untouched();
}

TEST_F(ConsoleActs, a_person_without_an_account_acts_with_a_passkey_alone) {
    const auto carla = ledger->transaction([&] {
        const auto person = ledger::add_person(*ledger, "Carla", "test", stamp());
        EXPECT_TRUE(
            ledger::make_change(*ledger, {person, ledger::ChangeKind::grant, ledger::Role::releaser}, "test", stamp()));
        return person;
    });
    const test::Authenticator key(passkeys::Algorithm::rs256, "key of Carla");
    give(carla, key);
    const auto token = sign_in(key);
    const auto done = sign(token, challenge(token, "/files/" + file_ + "/release"), key);
    EXPECT_EQ(done.status, 200) << done.error();
    EXPECT_EQ(ledger::find_file(*ledger, file_)->release_ordered_by, "Carla (console)");
    EXPECT_THAT(violations(), IsEmpty());
}

}  // namespace
}  // namespace drawbridge::admin
