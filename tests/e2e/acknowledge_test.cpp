// Compares what the bank acknowledges with what was released, also against one dishonest person.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>
#include <chrono>
#include <filesystem>
#include <numeric>

#include "e2e/office.hpp"

namespace drawbridge::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr unsigned anna = 5001, bert = 5002;

// One draw is paid and its file released. Finance takes the file to the bank.
class Acknowledge : public testing::Test {
  protected:
    explicit Acknowledge(const OfficeOptions& options = {}) : house_(options) {
        house_.sandbox.add({1, 100'01, "ACH-1", 12, 4});
        office().run_once();
        first_ = newest_file();
    }
    [[nodiscard]] const Office& office() const { return house_.office; }
    [[nodiscard]] std::string newest_file() const { return office().json({"files"}).at("files").front().at("name"); }
    Outcome acknowledge(const std::string& file, std::size_t payments, std::int64_t cents) const {
        return office().run({"acknowledge", file, "--payments", std::to_string(payments), "--total", decimal(cents),
                             "--reason", "the bank's receipt"});
    }
    // What the bank counts in the file that it received.
    Outcome acknowledge_as_the_bank_counts(const std::string& file) {
        const auto given = house_.bank.collect(office().outgoing());
        const auto total = std::accumulate(given.begin(), given.end(), std::int64_t{0},
                                           [](std::int64_t sum, const auto& one) { return sum + one.cents; });
        return acknowledge(file, given.size(), total);
    }
    [[nodiscard]] bool paused() const { return office().run({"status"}).out.find("PAUSED") != std::string::npos; }
    [[nodiscard]] Json evidence(const std::string& file) const {
        return office().json({"file", file}).at("file").at("evidence");
    }
    std::string write(const std::string& name, const std::string& lines) const {
        const auto path = office().folder() / name;
        write_file(path, "file_name,payments,total\n" + lines);
        fs::permissions(path, fs::perms(0644));
        return path.string();
    }

    House house_;
    std::string first_;
};

TEST_F(Acknowledge, a_match_is_shown_with_the_file) {
    const auto done = acknowledge_as_the_bank_counts(first_);
    EXPECT_EQ(to_string(done.exit), "exit 0") << done.err;
    EXPECT_THAT(done.out, HasSubstr(first_ + " is at the bank: 1 payment, $100.01, as in the file"));
    EXPECT_THAT(office().run({"file", first_}).out,
                HasSubstr("the bank's receipt: 1 payment, $100.01, as in the file"));
    EXPECT_THAT(office().run({"draw", "1"}).out, HasSubstr(first_ + " is at the bank according to"));
    EXPECT_THAT(office().run({"files"}).out, HasSubstr("acknowledged"));
    EXPECT_THAT(acknowledge(first_, 1, 100'01).out, HasSubstr("already acknowledged"));
    EXPECT_EQ(evidence(first_).size(), 1U);
    EXPECT_THAT(office().run({"acknowledge", first_, "--payments", "1", "--total", "12.345", "--reason", "r"}).err,
                HasSubstr("'total': "));
    office().expect_verified();
}

// A thief replaces the released file with a copy of an older one.
TEST_F(Acknowledge, a_file_swapped_on_its_way_to_the_bank_pauses_everything) {
    const auto older = read_file(office().outgoing() / first_);
    acknowledge_as_the_bank_counts(first_);
    house_.sandbox.add({2, 200'02, "ACH-2", 12, 4});
    office().run_once();
    const auto second = newest_file();
    write_file(office().outgoing() / second, older);
    const auto found = acknowledge_as_the_bank_counts(second);
    EXPECT_EQ(to_string(found.exit), "exit 1");
    EXPECT_THAT(found.err, AllOf(HasSubstr("with 1 payment, $100.01, but the file has 1 payment, $200.02"),
                                 HasSubstr("all movement of money is paused")));
    EXPECT_TRUE(paused());
    EXPECT_THAT(evidence(second), IsEmpty());
    EXPECT_THAT(office().open_exceptions(), ElementsAre("acknowledgment_differs"));
    const auto id = office().json({"exceptions"}).at("exceptions").back().at("id").dump();
    // The thief's next claims do not end the pause.
    office().run({"deliver", second, "--by-hand", "--reason", "it is there"});
    acknowledge(second, 1, 200'02);
    EXPECT_THAT(office().run({"resume", "--reason", "fine"}).err, HasSubstr("exception " + id));
    EXPECT_TRUE(paused());
    office().json({"resolve", id, "--reason", "the bank recalled it"});
    EXPECT_EQ(to_string(office().run({"resume", "--reason", "recalled"}).exit), "exit 0");
    office().expect_verified();
}

TEST_F(Acknowledge, wrong_numbers_pause_everything_and_only_another_person_resumes) {
    const auto forged = office().act_as(
        anna, {"acknowledge", first_, "--payments", "1", "--total", "99.99", "--reason", "I guess", "--json"});
    EXPECT_EQ(to_string(forged.exit), "exit 1") << forged.err;
    EXPECT_EQ(Json::parse(forged.out).at("outcome"), "differs");
    EXPECT_TRUE(paused());
    const std::vector<std::string> words{"resume", "--despite-exceptions", "--reason", "a slip"};
    EXPECT_THAT(office().act_as(anna, words).err, HasSubstr("you paused: a second person"));
    EXPECT_EQ(to_string(office().act_as(bert, words).exit), "exit 0");
    EXPECT_THAT(evidence(first_), IsEmpty());
    office().expect_verified();
}

TEST_F(Acknowledge, the_banks_file_is_previewed_and_then_compared) {
    const auto file = write("receipt.csv", first_ + ",1,100.01\nACH-20200101-Z.ach,1,5.00\n");
    const auto shown = office().run({"ingest", "--dry-run", file});
    EXPECT_EQ(to_string(shown.exit), "exit 3") << shown.err;
    EXPECT_THAT(shown.out, AllOf(HasSubstr("line 2: " + first_ + " matches: 1 payment, $100.01"),
                                 HasSubstr("line 3: ACH-20200101-Z.ach refused: there is no payment file"),
                                 HasSubstr("2 acknowledgments would be compared, 1 exception")));
    EXPECT_THAT(evidence(first_), IsEmpty());
    EXPECT_THAT(office().open_exceptions(), IsEmpty());
    EXPECT_EQ(to_string(office().run({"ingest", file}).exit), "exit 3");
    EXPECT_EQ(evidence(first_).at(0).at("kind"), "acknowledged");
    EXPECT_THAT(office().open_exceptions(), ElementsAre("acknowledgment_unknown"));
    EXPECT_FALSE(paused());
    office().expect_verified();
}

class AcknowledgeReleased : public Acknowledge {
  protected:
    AcknowledgeReleased() : Acknowledge({.release = "manual"}) {}
};

TEST_F(AcknowledgeReleased, an_unreleased_file_cannot_be_acknowledged) {
    const auto early = acknowledge(first_, 1, 100'01);
    EXPECT_EQ(to_string(early.exit), "exit 1");
    EXPECT_THAT(early.err, HasSubstr("is not released: if the bank has it, call the bank at once"));
    EXPECT_FALSE(paused());
    EXPECT_THAT(office().run({"ingest", write("receipt.csv", first_ + ",1,100.01\n")}).out,
                HasSubstr("which is not released"));
    EXPECT_THAT(office().open_exceptions(), ElementsAre("acknowledgment_unsent"));
    EXPECT_TRUE(paused());
    EXPECT_THAT(evidence(first_), IsEmpty());
    office().expect_verified();
}

class AcknowledgeInTime : public Acknowledge {
  protected:
    AcknowledgeInTime() : Acknowledge({.pay = "  acknowledge_within: 4h\n"}) {}
    Outcome run_hours_later(int hours) const {
        const auto shift = std::to_string(std::chrono::seconds(std::chrono::hours(hours)).count());
        return office().run_test_program({"run", "--once"}, {{"DRAWBRIDGE_CLOCK_SHIFT", shift}});
    }
};

TEST_F(AcknowledgeInTime, a_missing_acknowledgment_pauses_everything_until_it_arrives) {
    EXPECT_THAT(office().run({"check"}).out, HasSubstr("pay.acknowledge_within"));
    run_hours_later(3);
    EXPECT_FALSE(paused());
    EXPECT_THAT(run_hours_later(5).out, HasSubstr("1 file not acknowledged in time"));
    EXPECT_TRUE(paused());
    EXPECT_THAT(office().open_exceptions(), Contains("acknowledgment_missing"));
    EXPECT_THAT(office().run({"resume", "--reason", "fine"}).err, HasSubstr("which must be resolved first, is open"));
    acknowledge_as_the_bank_counts(first_);
    EXPECT_THAT(office().open_exceptions(), Not(Contains("acknowledgment_missing")));
    EXPECT_EQ(to_string(office().run({"resume", "--reason", "the bank has it"}).exit), "exit 0");
    run_hours_later(6);
    EXPECT_FALSE(paused());
    office().expect_verified();
}

// Real uids: once people are set up, root and the daemon's user cannot acknowledge.
TEST(AcknowledgeByNobody, is_refused_once_people_are_set_up) {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can act with other uids";
    constexpr unsigned service = 5000;
    House house;
    const Office& office = house.office;
    house.sandbox.add({1, 100'01, "ACH-1", 12, 4});
    office.run_once();
    const std::string file = office.json({"files"}).at("files").front().at("name");
    office.give_to_user(service);
    const auto act = [&](unsigned uid, std::vector<std::string> words) {
        words.insert(words.end(), {"--reason", "because"});
        return office.run_as(uid, words);
    };
    auto daemon = office.start_daemon_as(service);
    act(0, {"people", "add", "Anna"});
    act(0, {"people", "link", "1", "--uid", std::to_string(anna)});
    act(0, {"people", "add", "Bert"});
    act(0, {"people", "link", "2", "--uid", std::to_string(bert)});
    act(0, {"people", "role", "2", "finance"});
    act(0, {"people", "role", "1", "admin"});
    ASSERT_EQ(to_string(act(anna, {"people", "confirm", "1"}).exit), "exit 0");
    const std::vector<std::string> words{"acknowledge", file, "--payments", "1", "--total", "100.01"};
    for (const unsigned nobody : {0U, service}) {
        const auto refused = act(nobody, words);
        EXPECT_EQ(to_string(refused.exit), "exit 1");
        EXPECT_THAT(refused.err, HasSubstr("needs one of the roles"));
    }
    office.drop("receipt.csv", "file_name,payments,total\n" + file + ",1,100.01\n", 0);
    EXPECT_TRUE(eventually([&] {
        const auto open = office.run_as(bert, {"exceptions"});
        return open.out.find("acknowledgment_refused") != std::string::npos;
    })) << office.daemon_log();
    EXPECT_THAT(office.run_as(bert, {"file", file}).out, Not(HasSubstr("at the bank")));
    const auto said = act(bert, words);
    EXPECT_EQ(to_string(said.exit), "exit 0") << said.err;
    EXPECT_THAT(office.run_as(bert, {"file", file}).out, HasSubstr("at the bank"));
}

}  // namespace
}  // namespace drawbridge::e2e
