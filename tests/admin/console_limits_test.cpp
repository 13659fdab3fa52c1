// What limits acts of the console: codes that go by mail, acts and uploads that wait.
#include "admin/console_acts_fixture.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"

namespace drawbridge::admin {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using namespace std::chrono_literals;

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

}  // namespace
}  // namespace drawbridge::admin
