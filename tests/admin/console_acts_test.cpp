// Signed acts: exactly the act that was signed, once, by the right person, with the right key, here and now.
#include <openssl/pem.h>

#include "admin/console_acts_fixture.hpp"
#include "drawbridge/domain/digest.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/exports.hpp"
#include "drawbridge/reconciliation/manifest.hpp"
#include "store/connection.hpp"

namespace drawbridge::admin {
namespace {

using ledger::FileState;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

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
