// Two instances on one machine: they cannot both run if they would pay the same draws or use the same numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "e2e/office.hpp"

namespace drawbridge::e2e {
namespace {

using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;
using testing::SizeIs;

namespace fs = std::filesystem;

OfficeOptions instance(const std::string& workflows, const std::string& ach = "", const std::string& pay = "",
                       const std::string& first_check = "10001") {
    OfficeOptions options;
    if (!workflows.empty()) options.service = "  workflows: " + workflows + "\n";
    options.ach = ach;
    options.pay = pay;
    options.first_check = first_check;
    return options;
}

class Instances : public testing::Test {
  protected:
    // `beside`: in the same layout as the first instance. Otherwise only the lock reveals a conflict.
    Office second(const OfficeOptions& options, bool beside) {
        const auto folder = house_->folder.path() / (beside ? "second" : "elsewhere/deep/second");
        Office office(folder, house_->sandbox.port(), options);
        office.use_writers(house_->folder.path() / "writers");
        return office;
    }

    std::optional<House> house_;
};

TEST_F(Instances, with_the_same_draws_are_refused_by_check_and_run) {
    house_.emplace();
    const auto other = second(instance("[14]"), /*beside=*/true);
    for (const auto& command : {std::vector<std::string>{"check"}, {"run"}, {"run", "--once"}}) {
        const auto refused = other.run(command);
        EXPECT_EQ(to_string(refused.exit), "exit 78") << command.front();
        EXPECT_THAT(refused.err + refused.out, HasSubstr("both pay the draws of workflow 14")) << command.front();
    }
}

TEST_F(Instances, that_check_cannot_compare_are_separated_by_a_lock) {
    house_.emplace();
    house_->sandbox.add({1, 101'00, "ACH-1", 12, 4});
    auto daemon = house_->office.start_daemon();
    ASSERT_TRUE(eventually([&] { return fs::exists(house_->office.state() / "drawbridge.sock"); }));
    const auto other = second(instance(""), /*beside=*/false);
    const auto refused = other.run({"run", "--once"});
    EXPECT_EQ(to_string(refused.exit), "exit 75");
    EXPECT_THAT(refused.err, HasSubstr("both pay the draws of all workflows"));
    daemon.signal(SIGTERM);
    ASSERT_TRUE(daemon.wait(std::chrono::seconds(20)));
    const auto later = other.run({"run", "--once"});
    EXPECT_EQ(to_string(later.exit), "exit 75") << "running one after the other, both would pay";
    EXPECT_THAT(later.err, HasSubstr("both pay the draws of all workflows"));
    fs::remove(house_->office.folder() / "drawbridge.yaml");
    other.run_once();
    EXPECT_EQ(to_string(other.run({"pause", "--reason", "x"}).exit), "exit 0");
}

TEST_F(Instances, an_act_without_a_daemon_also_takes_the_lock) {
    house_.emplace();
    const auto other = second(instance(""), /*beside=*/false);
    other.run_once();
    fs::remove_all(house_->folder.path() / "writers");  // as after a reboot
    const auto daemon = house_->office.start_daemon();
    ASSERT_TRUE(eventually([&] { return fs::exists(house_->office.state() / "drawbridge.sock"); }));
    const auto refused = other.run({"pay", "--now"});
    EXPECT_EQ(to_string(refused.exit), "exit 75") << refused.out;
    EXPECT_EQ(to_string(other.run({"status"}).exit), "exit 0") << "reading is allowed";
}

// True if the program started with `run --standby` is waiting.
bool stands_by(const fs::path& err) {
    return read_file(err).contains("standing by: ");
}

TEST_F(Instances, a_standby_waits_for_the_ledger_and_takes_over) {
    house_.emplace();
    const auto& office = house_->office;
    house_->sandbox.add({1, 101'00, "ACH-1", 12, 3});
    auto daemon = office.start_daemon();
    ASSERT_TRUE(eventually([&] { return fs::exists(office.state() / "drawbridge.sock"); }));
    const auto err = office.folder() / "standby.err";
    auto standby = office.start_standby(err);
    auto idle = office.start_standby(office.folder() / "idle.err");
    ASSERT_TRUE(eventually([&] { return stands_by(err) && stands_by(office.folder() / "idle.err"); }));
    EXPECT_THAT(read_file(err), HasSubstr("another drawbridge process owns this ledger"));
    idle.signal(SIGTERM);
    ASSERT_TRUE(idle.wait(std::chrono::seconds(20))) << "a waiting standby stops at once";
    EXPECT_THAT(read_file(err), Not(HasSubstr("ready: ")));

    daemon.signal(SIGKILL);
    ASSERT_TRUE(daemon.wait(std::chrono::seconds(20)));
    ASSERT_TRUE(eventually([&] { return read_file(err).contains("ready: "); })) << read_file(err);
    EXPECT_EQ(to_string(office.run({"status"}).exit), "exit 0");
    EXPECT_THAT(office.run({"verify"}).out, Not(HasSubstr("FAIL")));
    standby.signal(SIGTERM);
    ASSERT_TRUE(standby.wait(std::chrono::seconds(20)));
}

TEST_F(Instances, with_one_bank_never_use_a_number_twice) {
    const std::string low = "  trace_numbers: {to: 4999999}\n  file_id_modifiers: ABCDEF\n";
    const std::string high = "  trace_numbers: {from: 5000000}\n  file_id_modifiers: GHIJKL\n";
    const std::string low_files = "  file_numbers: {to: 4999}\n  payment_ids: {to: 4999}\n",
                      high_files = "  file_numbers: {from: 5000}\n  payment_ids: {from: 5000}\n";
    house_.emplace(instance("[12]", low, low_files, "10001, last_number: 19999"));
    {
        const auto same_numbers = second(instance("[14]"), /*beside=*/true);
        const auto refused = same_numbers.run({"run", "--once"});
        EXPECT_EQ(to_string(refused.exit), "exit 78");
        EXPECT_THAT(refused.err, HasSubstr("ach.trace_numbers"));
        fs::remove_all(same_numbers.folder());
    }
    const auto other = second(instance("[14]", high, high_files, "20000"), /*beside=*/true);
    for (std::int64_t id = 1; id <= 4; ++id) {
        house_->sandbox.add(
            {id, 100'00 + id, (id <= 2 ? "ACH-" : "CHK-") + std::to_string(id), id % 2 == 0 ? 12 : 14, 4});
    }
    house_->office.run_once();
    const auto daemon = house_->office.start_daemon();
    ASSERT_TRUE(eventually([&] { return fs::exists(house_->office.state() / "drawbridge.sock"); }))
        << house_->office.daemon_log();
    other.run_once();
    house_->bank.collect(house_->office.outgoing());
    house_->bank.collect(other.outgoing());  // throws if two files have the same name
    EXPECT_THAT(house_->bank.times_paid(), testing::AllOf(SizeIs(4), Each(Pair(testing::_, 1))));
    EXPECT_THAT(house_->bank.references_used_twice(), IsEmpty());
    other.expect_verified();
}

TEST_F(Instances, a_ledger_has_the_draws_of_one_service_until_the_configuration_says_that_it_moved) {
    house_.emplace();
    house_->sandbox.add({1, 101'00, "ACH-1", 12, 4});
    house_->office.run_once();
    const auto file = house_->office.folder() / "drawbridge.yaml";
    const auto trial = "http://127.0.0.1:" + std::to_string(house_->sandbox.port());
    auto configuration = read_file(file);
    // Nothing is reachable there, and a refusal comes before any request.
    const std::string other = "https://draws.invalid/api";
    configuration.replace(configuration.find(trial), trial.size(), other);
    write_file(file, configuration);
    const auto refused = house_->office.run({"run", "--once"});
    EXPECT_EQ(to_string(refused.exit), "exit 78");
    EXPECT_THAT(refused.err, testing::AllOf(HasSubstr("the ledger has the draws of " + trial),
                                            HasSubstr("add service.moved_from: " + trial)));
    const std::string key = "service:\n";
    write_file(file, configuration.replace(configuration.find(key), key.size(),
                                           key + "  moved_from: " + trial + "/\n  connect_deadline: 1s\n"));
    EXPECT_EQ(to_string(house_->office.run({"run", "--once"}).exit), "exit 1") << "it does not answer";
    EXPECT_THAT(house_->office.audit("detail", "action = 'service.recorded'"),
                testing::ElementsAre(trial, "https://draws.invalid:443/api"));
    EXPECT_EQ(to_string(house_->office.run({"verify"}).exit), "exit 0");
}

TEST_F(Instances, with_a_used_up_range_plan_no_more_payments) {
    house_.emplace(instance("", "  trace_numbers: {from: 7, to: 7}\n"));
    house_->sandbox.add({1, 101'00, "ACH-1", 12, 4});
    house_->sandbox.add({2, 102'00, "ACH-2", 12, 4});
    house_->office.run_once();
    const auto paid = house_->bank.collect(house_->office.outgoing());
    ASSERT_THAT(paid, SizeIs(1));
    EXPECT_EQ(paid.front().reference, "091000010000007");
    EXPECT_THAT(house_->office.open_exceptions(2), Contains("numbers_exhausted"));
    const auto exceptions = house_->office.json({"exceptions"}).at("exceptions");
    EXPECT_THAT(exceptions.at(0).at("detail").get<std::string>(),
                HasSubstr("the trace numbers 7 to 7 (ach.trace_numbers) are used up"));
}

}  // namespace
}  // namespace drawbridge::e2e
