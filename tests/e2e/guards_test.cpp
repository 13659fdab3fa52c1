// Guards that hold money until a person decides: draws that others seem to have paid, prenotes that were not sent, the
// limit of automatic release, and the pause after a duplicate entry.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "e2e/office.hpp"

namespace drawbridge::e2e {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr unsigned anna = 5001, bert = 5002;

std::string newest_exception(const Office& office) {
    return office.json({"exceptions"}).at("exceptions").back().at("id").dump();
}

// --- draws that others seem to have paid

class DisbursedElsewhere : public testing::Test {
  protected:
    void expect_held() {
        house_.office.run_once();
        EXPECT_EQ(house_.office.state_of(1), "blocked");
        EXPECT_THAT(house_.office.open_exceptions(1), ElementsAre("disbursed_elsewhere"));
        EXPECT_THAT(house_.bank.collect(house_.office.outgoing()), IsEmpty());
        house_.office.expect_verified();
    }
    void resolve() {
        const auto done = house_.office.run(
            {"resolve", newest_exception(house_.office), "--reason", "treasury confirms that nobody paid it"});
        EXPECT_EQ(to_string(done.exit), "exit 0") << done.err;
    }
    void expect_paid() {
        house_.office.run_once();
        house_.office.release_what_waits();  // the person who resolved the exception is a maker
        EXPECT_EQ(house_.office.state_of(1), "paying");
        EXPECT_THAT(house_.office.open_exceptions(1), IsEmpty());
        EXPECT_THAT(house_.bank.collect(house_.office.outgoing()), SizeIs(1));
        house_.office.expect_verified();
    }

    House house_;
};

TEST_F(DisbursedElsewhere, a_draw_that_returns_to_approved_is_held_each_time_until_resolved) {
    house_.sandbox.add({1, 100'01, "ACH-1", 12, 5});
    house_.office.run_once();
    EXPECT_EQ(house_.office.state_of(1), "external");
    house_.sandbox.act(1, "reopen", {{"status", 4}});
    expect_held();
    expect_held();
    resolve();
    house_.sandbox.act(1, "disburse");
    house_.office.run_once();
    house_.sandbox.act(1, "reopen", {{"status", 4}});
    expect_held();
    resolve();
    expect_paid();
}

TEST_F(DisbursedElsewhere, a_draw_that_returns_to_pending_and_is_approved_again_is_held) {
    house_.sandbox.add({1, 100'01, "ACH-1", 12, 5});
    house_.office.run_once();
    house_.sandbox.act(1, "reopen", {{"status", 3}});
    house_.sandbox.edit(1, {{"disbursedDate", nullptr}, {"amountDisbursed", nullptr}});
    expect_held();
    resolve();
    expect_paid();
}

TEST_F(DisbursedElsewhere, a_draw_first_seen_as_approved_with_a_disbursement_is_held) {
    house_.sandbox.add({1, 100'01, "ACH-1", 12, 5});
    house_.sandbox.act(1, "reopen", {{"status", 4}});
    house_.sandbox.edit(1, {{"disbursedDate", "2026-03-04T12:00:00.000Z"}, {"amountDisbursed", nullptr}});
    expect_held();
    resolve();
    house_.sandbox.edit(1, {{"disbursedDate", nullptr}, {"amountDisbursed", 100.01}});
    expect_held();
    resolve();
    expect_paid();
}

// --- prenotes

TEST(Prenotes, a_prenote_that_was_not_sent_does_not_end_the_hold) {
    House house({.release = "manual", .ach = "  prenotes: {required: true}\n"});
    const Office& office = house.office;
    office.run_once();
    office.write_payees("NEW,Payee New,ach,091000019,880011,checking,PPD,,,,,\n");
    house.sandbox.add({1, 100'01, "NEW", 12, 4});
    office.run_once();
    ASSERT_THAT(office.open_exceptions(), ElementsAre("prenote_waiting"));
    const std::string shift = std::to_string(std::chrono::seconds(std::chrono::days(20)).count());
    for (int run = 0; run < 2; ++run)
        static_cast<void>(office.run_test_program({"run", "--once"}, {{"DRAWBRIDGE_CLOCK_SHIFT", shift}}));
    EXPECT_EQ(office.state_of(1), "blocked");
    const auto files = office.json({"files"}).at("files");
    ASSERT_THAT(files, SizeIs(1));
    EXPECT_THAT(office.run({"exceptions"}).out,
                HasSubstr("its file " + files[0].at("name").get<std::string>() + " has not been sent yet"));
    office.expect_verified();
}

// --- automatic release

TEST(ReleaseLimit, counts_the_days_automatic_releases_of_the_same_account) {
    House house({.pay = "  release_limit: 100.00\n"});
    const Office& office = house.office;
    std::string said;
    for (std::int64_t id = 1; id <= 3; ++id) {
        house.sandbox.add({id, 90'00 + id, "ACH-" + std::to_string(id), 12, 4});
        said = office.run_once().out;
    }
    EXPECT_THAT(house.bank.collect(office.outgoing()), SizeIs(1));
    EXPECT_THAT(said, AllOf(HasSubstr("2 files over pay.release_limit, to be released by a person"),
                            HasSubstr("(limit $100.00 a day for its account, used $90.01, this file $90.03)")));
    // Another account has its own limit.
    house.sandbox.add({4, 90'04, "CHK-1", 12, 4});
    office.run_once();
    EXPECT_THAT(house.bank.collect(office.outgoing()), SizeIs(1));
    office.expect_verified();
}

// --- the pause after a duplicate entry

class DuplicateEntry : public testing::Test {
  protected:
    void SetUp() override {
        house_.sandbox.add({1, 200'00, "ACH-1", 12, 4});
        house_.office.run_once();
        const auto paid = house_.bank.collect(house_.office.outgoing()).back();
        const std::string day = paid.created_on;
        const std::string yymmdd = day.substr(2, 2) + day.substr(5, 2) + day.substr(8, 2);
        house_.office.drop("statement.bai", "01,CITY,OFFICE," + yymmdd + ",0600,1,80,,2/\n02,OFFICE,CITY,1," + yymmdd +
                                                ",2359,USD,2/\n03,4400123456,USD,,,,/\n16,257,20000,,BR1," +
                                                paid.reference +
                                                ",ACH RETURN R24/\n49,20000,3/\n98,20000,1,5/\n99,20000,1,7/\n");
        house_.office.run_once();
        ASSERT_THAT(house_.office.open_exceptions(1), testing::Contains("duplicate_entry_returned"));
        const auto open = house_.office.json({"exceptions"});
        for (const auto& row : open.at("exceptions")) {
            if (row.at("reason_code") == "duplicate_entry_returned") exception_ = row.at("id").dump();
        }
    }
    Outcome resume(const std::vector<std::string>& more = {}) {
        std::vector<std::string> words{"resume", "--reason", "looked at it"};
        words.insert(words.end(), more.begin(), more.end());
        return house_.office.run(words);
    }
    bool paused() { return house_.office.run({"status"}).out.find("PAUSED") != std::string::npos; }

    House house_;
    std::string exception_;
};

TEST_F(DuplicateEntry, resume_is_refused_before_the_exception_is_resolved) {
    EXPECT_THAT(resume().err, HasSubstr("exception " + exception_ + ", which must be resolved first, is open"));
    EXPECT_TRUE(paused());
    house_.office.json({"resolve", exception_, "--reason", "the bank's own mistake"});
    EXPECT_THAT(resume({"--despite-exceptions"}).err, HasSubstr("no exception prevents it"));
    EXPECT_EQ(to_string(resume().exit), "exit 0");
    EXPECT_FALSE(paused());
    house_.office.json({"resolve", exception_, "--undo", "--reason", "it was not the bank's"});
    EXPECT_TRUE(paused()) << "the exception that paused everything is open again";
    house_.office.expect_verified();
}

TEST_F(DuplicateEntry, only_a_second_person_can_resume_despite_it) {
    EXPECT_THAT(resume({"--despite-exceptions"}).err, HasSubstr("identify no particular person"));
    const std::vector<std::string> words{"resume", "--despite-exceptions", "--reason", "the other file was recalled"};
    const auto resumed = house_.office.act_as(anna, words);
    EXPECT_EQ(to_string(resumed.exit), "exit 0") << resumed.err;
    EXPECT_EQ(to_string(house_.office.act_as(anna, {"pause", "--reason", "wait"}).exit), "exit 0");
    EXPECT_THAT(house_.office.act_as(anna, words).err, HasSubstr("you paused: a second person"));
    EXPECT_TRUE(paused());
    EXPECT_EQ(to_string(house_.office.act_as(bert, words).exit), "exit 0");
    EXPECT_FALSE(paused());
    house_.office.expect_verified();
}

}  // namespace
}  // namespace drawbridge::e2e
