// Clock jumps, outages and lost ledgers: what an operator sees, and that nothing is lost or paid twice.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "e2e/office.hpp"

namespace drawbridge::e2e {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;
using testing::SizeIs;

namespace fs = std::filesystem;
using std::chrono::days;

constexpr auto soon = std::chrono::seconds(20);

class Adversity : public testing::Test {
  protected:
    void run_and_collect() {
        house_.office.run_once();
        house_.bank.collect(house_.office.outgoing());
    }
    // `run --once` with a shifted clock. The bank collects the files.
    Outcome run_at(std::chrono::seconds ahead) {
        auto outcome = house_.office.run_test_program({"run", "--once"},
                                                      {{"DRAWBRIDGE_CLOCK_SHIFT", std::to_string(ahead.count())}});
        house_.bank.collect(house_.office.outgoing());
        return outcome;
    }
    // It went back, so no file was released by the schedule. Then it goes on.
    void somebody_says_that_the_clock_is_right(std::chrono::seconds ahead) {
        const auto open = house_.office.json({"exceptions", "--reason", "clock_went_back"}).at("exceptions");
        ASSERT_THAT(open, SizeIs(1));
        const auto resolved = house_.office.run_test_program(
            {"resolve", std::to_string(open[0].at("id").get<int>()), "--reason", "it is right now"},
            {{"DRAWBRIDGE_CLOCK_SHIFT", std::to_string(ahead.count())}});
        EXPECT_EQ(to_string(resolved.exit), "exit 0") << resolved.err;
        EXPECT_EQ(to_string(run_at(ahead).exit), "exit 0");
    }
    void expect_each_paid_once(std::size_t draws) {
        EXPECT_THAT(house_.bank.times_paid(), AllOf(SizeIs(draws), Each(Pair(testing::_, 1))));
        EXPECT_THAT(house_.bank.references_used_twice(), IsEmpty());
        house_.office.expect_verified();
    }
    [[nodiscard]] fs::path backups() const { return house_.folder.path() / "backups"; }
    void back_up_to(const fs::path& file) {
        EXPECT_EQ(to_string(house_.office.run({"backup", file.string()}).exit), "exit 0");
    }
    // An office with a folder for backups, which pays draw 1.
    void pay_one_with_backups() {
        fs::create_directory(backups());
        house_.office.configure("backup: {folder: " + backups().string() + "}\n");
        house_.sandbox.add({1, 101'00, "ACH-1"});
        run_and_collect();
    }
    // The person's word ends the pause, and draw 2 is paid as well.
    void resume_and_pay_another() {
        EXPECT_EQ(to_string(house_.office.run({"resume", "--reason", "the bank was asked"}).exit), "exit 0");
        house_.sandbox.add({2, 102'00, "ACH-2", 12, 4, in_two_hours()});
        for (int runs = 0; runs < 2; ++runs)
            run_and_collect();
    }
    [[nodiscard]] fs::path config() const { return house_.office.folder() / "drawbridge.yaml"; }
    void replace_in_config(const std::string& what, const std::string& by) {
        auto text = read_file(config());
        const auto at = text.find(what);
        ASSERT_NE(at, std::string::npos);
        write_file(config(), text.replace(at, what.size(), by));
    }

    House house_;
};

TEST_F(Adversity, a_clock_that_jumps_forward_and_back_pays_every_draw_once) {
    house_.sandbox.add({1, 101'00, "ACH-1"});
    EXPECT_EQ(to_string(run_at(days(0)).exit), "exit 0");
    house_.sandbox.add({2, 102'00, "ACH-2"});
    EXPECT_EQ(to_string(run_at(days(400)).exit), "exit 0");
    house_.sandbox.add({3, 103'00, "ACH-3"});
    EXPECT_EQ(to_string(run_at(days(0)).exit), "exit 0");
    expect_each_paid_once(2);
    somebody_says_that_the_clock_is_right(days(0));
    expect_each_paid_once(3);
    house_.sandbox.add({4, 104'00, "CHK-4"});
    EXPECT_EQ(to_string(run_at(days(-30)).exit), "exit 0");
    somebody_says_that_the_clock_is_right(days(-30));
    expect_each_paid_once(4);
}

TEST_F(Adversity, a_week_without_the_service_delays_but_loses_nothing) {
    house_.sandbox.add({1, 101'00, "ACH-1"});
    EXPECT_EQ(to_string(run_at(days(0)).exit), "exit 0");
    house_.sandbox.add({2, 102'00, "ACH-2"});
    house_.sandbox.process().kill();
    for (int day = 1; day <= 7; ++day) {
        const auto outcome = run_at(days(day));
        EXPECT_EQ(to_string(outcome.exit), "exit 1");
        EXPECT_THAT(outcome.err, HasSubstr("poll")) << "the message names the failed step";
    }
    EXPECT_THAT(house_.office.run({"status"}).out, HasSubstr("FAILED"));
    house_.sandbox.restart();
    EXPECT_EQ(to_string(run_at(days(7)).exit), "exit 0");
    expect_each_paid_once(2);
}

TEST_F(Adversity, reports_an_unresolved_host_name_and_begins_once_it_is_corrected) {
    house_.sandbox.add({1, 101'00, "ACH-1"});
    const auto port = std::to_string(house_.sandbox.port());
    replace_in_config("http://127.0.0.1:" + port, "https://draws.invalid");
    const auto outcome = house_.office.run({"run", "--once"});
    EXPECT_EQ(to_string(outcome.exit), "exit 1");
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("draws.invalid"), HasSubstr("resolve")));
    replace_in_config("https://draws.invalid", "http://127.0.0.1:" + port);
    run_and_collect();
    expect_each_paid_once(1);
}

TEST_F(Adversity, stops_when_the_ledger_is_deleted_and_creates_no_new_one) {
    ABOUT_THE_FILE();
    house_.sandbox.add({1, 101'00, "ACH-1"});
    run_and_collect();
    const auto ledger = house_.office.state() / "ledger.db";
    auto daemon = house_.office.start_daemon();
    ASSERT_TRUE(eventually([&] { return fs::exists(house_.office.state() / "drawbridge.sock"); }));
    fs::rename(ledger, house_.folder.path() / "taken.db");
    const auto exit = daemon.wait(soon);
    ASSERT_TRUE(exit) << "the daemon keeps running on a deleted ledger";
    EXPECT_EQ(to_string(*exit), "exit 1");
    EXPECT_THAT(house_.office.daemon_log(), AllOf(HasSubstr("ledger.db was removed"), HasSubstr("restore")));
    const auto refused = house_.office.run({"run", "--once"});
    EXPECT_EQ(to_string(refused.exit), "exit 1");
    EXPECT_THAT(refused.err, HasSubstr("ledger.db is missing"));
    fs::rename(house_.folder.path() / "taken.db", ledger);
    for (const auto* ending : {"-wal", "-shm"})
        fs::remove(ledger.string() + ending);
    run_and_collect();
    expect_each_paid_once(1);
}

TEST_F(Adversity, a_replaced_state_folder_starts_paused) {
    ABOUT_THE_FILE();
    house_.sandbox.add({1, 101'00, "ACH-1"});
    run_and_collect();
    const auto state = house_.office.state();
    fs::copy(state, house_.folder.path() / "snapshot", fs::copy_options::recursive);
    house_.sandbox.add({2, 102'00, "ACH-2"});
    run_and_collect();
    fs::rename(state, house_.folder.path() / "lost");
    fs::rename(house_.folder.path() / "snapshot", state);
    house_.sandbox.add({3, 103'00, "ACH-3", 12, 4});
    run_and_collect();
    EXPECT_THAT(house_.bank.times_paid(), SizeIs(2));
    EXPECT_THAT(house_.office.open_exceptions(), Contains("ledger_is_older"));
    EXPECT_THAT(house_.office.open_exceptions(2), Contains("possibly_paid"));
}

TEST_F(Adversity, a_new_ledger_next_to_released_files_waits_for_a_person) {
    house_.sandbox.add({1, 101'00, "ACH-1"});
    run_and_collect();
    house_.office.remove_ledger();
    fs::remove(house_.office.state() / "ledger.mark");
    for (int runs = 0; runs < 2; ++runs)
        run_and_collect();
    EXPECT_THAT(house_.bank.times_paid(), AllOf(SizeIs(1), Each(Pair(testing::_, 1))));
    EXPECT_THAT(house_.office.open_exceptions(), Contains("ledger_is_older"));
    EXPECT_THAT(house_.office.open_exceptions(1), Contains("possibly_paid"));
    EXPECT_THAT(house_.office.run({"status"}).out, HasSubstr("it is new and empty, but spool/manifests/"));
    // The person's word ends it, and no number or name comes a second time.
    resume_and_pay_another();
    EXPECT_THAT(house_.bank.times_paid(), AllOf(SizeIs(2), Each(Pair(testing::_, 1))));
    EXPECT_THAT(house_.bank.references_used_twice(), IsEmpty());
    const auto violations = house_.office.run({"verify"}).out;
    EXPECT_THAT(violations, HasSubstr(" belongs to another ledger, ")) << "files of the lost ledger stay visible";
    EXPECT_EQ(violations.find("FAIL"), violations.find("FAIL  11"));
}

TEST_F(Adversity, a_new_ledger_where_the_lost_one_was_backed_up_waits_for_a_person) {
    ABOUT_THE_FILE();
    pay_one_with_backups();
    for (const char* copy : {"ledger-1.db", "copy.db"})
        back_up_to(backups() / copy);
    fs::remove_all(house_.office.state());
    EXPECT_THAT(house_.office.run({"check"}).err,
                HasSubstr(": warning: a backup of a ledger, but " + house_.office.state().string() + " has none"));
    for (int runs = 0; runs < 2; ++runs)
        run_and_collect();
    EXPECT_THAT(house_.bank.times_paid(), AllOf(SizeIs(1), Each(Pair(testing::_, 1))));
    EXPECT_THAT(house_.office.open_exceptions(), Contains("ledger_is_older"));
    EXPECT_THAT(house_.office.open_exceptions(1), Contains("possibly_paid"));
    EXPECT_THAT(house_.office.run({"status"}).out, HasSubstr("it is new and empty, but backup.folder has "));
    resume_and_pay_another();
    expect_each_paid_once(2);
}

TEST_F(Adversity, the_backup_of_a_lost_ledger_replaces_the_new_one_that_never_paid) {
    ABOUT_THE_FILE();
    pay_one_with_backups();
    const auto backup = backups() / "ledger-1.db";
    back_up_to(backup);
    fs::rename(house_.office.state(), house_.folder.path() / "lost");
    fs::create_directory(house_.office.state());
    fs::copy(house_.folder.path() / "lost/sealing.key", house_.office.state() / "sealing.key");
    run_and_collect();
    EXPECT_THAT(house_.office.open_exceptions(), Contains("ledger_is_older"));
    const auto restored = house_.office.run({"restore", backup.string(), "--reason", "the disk died"});
    ASSERT_EQ(to_string(restored.exit), "exit 0") << restored.err;
    EXPECT_THAT(restored.out, HasSubstr("ledger-set-aside-"));
    run_and_collect();
    resume_and_pay_another();
    EXPECT_THAT(house_.bank.times_paid(), AllOf(SizeIs(2), Each(Pair(testing::_, 1))));
    EXPECT_THAT(house_.bank.references_used_twice(), IsEmpty());
}

// Two offices that share a backup.folder, and no number.
TEST_F(Adversity, a_new_office_beside_backups_of_another_one_keeps_its_own_numbers) {
    ABOUT_THE_FILE();
    const auto in_yaml = "backup: {folder: " + backups().string() + "}\n";
    fs::create_directory(backups());
    replace_in_config("  payee_hold: 0d\n", "  payee_hold: 0d\n  payment_ids: {from: 5000}\n");
    house_.office.configure(in_yaml);
    house_.sandbox.add({1, 101'00, "ACH-1"});
    run_and_collect();
    back_up_to(backups() / "a.db");
    OfficeOptions options;
    options.pay = "  payment_ids: {to: 4999}\n";
    options.more = in_yaml;
    fs::create_directory(house_.folder.path() / "other");
    const Sandbox sandbox(house_.folder.path() / "other");
    sandbox.add({2, 102'00, "ACH-2"});
    Office other(house_.folder.path() / "elsewhere/deep/office", sandbox.port(), options);
    other.use_writers(house_.folder.path() / "other-writers");
    other.run_once();
    EXPECT_THAT(other.open_exceptions(), Contains("ledger_is_older"));
    EXPECT_EQ(to_string(other.run({"resume", "--nothing-else-sent", "--reason", "another office's"}).exit), "exit 0");
    other.run_once();
    EXPECT_EQ(other.state_of(2), "paying");
    EXPECT_THAT(other.open_exceptions(), IsEmpty());
}

TEST_F(Adversity, a_second_process_cannot_use_the_ledger) {
    auto daemon = house_.office.start_daemon();
    ASSERT_TRUE(eventually([&] { return fs::exists(house_.office.state() / "drawbridge.sock"); }));
    const auto refused = house_.office.run({"run", "--once"});
    EXPECT_EQ(to_string(refused.exit), "exit 75");
    EXPECT_THAT(refused.err, HasSubstr("another drawbridge process owns this ledger"));
}

// If the test runs as root, which bypasses permissions, it acts as another user.
TEST_F(Adversity, reports_a_state_folder_that_is_not_writable) {
    house_.sandbox.add({1, 101'00, "ACH-1"});
    run_and_collect();
    house_.sandbox.add({2, 102'00, "ACH-2"});
    const auto state = house_.office.state();
    const auto set_writable = [&](bool writable) {
        const auto how = writable ? fs::perm_options::add : fs::perm_options::remove;
        const auto bits = fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write;
        for (const auto& entry : fs::recursive_directory_iterator(state))
            fs::permissions(entry.path(), bits, how);
        fs::permissions(state, bits, how);
    };
    set_writable(false);
    const auto outcome = house_.office.run_as_nobody({"run", "--once"});
    EXPECT_EQ(to_string(outcome.exit), "exit 74") << outcome.out << outcome.err;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr(state.string()), HasSubstr("ermission denied")));
    house_.office.give_back();
    set_writable(true);
    run_and_collect();
    expect_each_paid_once(2);
}

TEST_F(Adversity, an_act_is_in_the_journal_while_a_step_waits_for_the_service) {
    const auto daemon = house_.office.start_daemon();
    ASSERT_TRUE(eventually([&] { return house_.office.daemon_log().contains("report: "); }));
    house_.sandbox.arm_fault({{"endpoint", "list"}, {"kind", "delay"}, {"ms", 20000}});
    const auto lists = house_.sandbox.requests("list");
    ASSERT_TRUE(eventually([&] { return house_.sandbox.requests("list") > lists; }));
    EXPECT_EQ(to_string(house_.office.run({"pause", "--reason", "wait for the bank"}).exit), "exit 0");
    EXPECT_THAT(house_.office.daemon_log(), HasSubstr("wait for the bank"));
}

TEST_F(Adversity, status_shows_nothing_to_do_only_if_no_step_failed) {
    house_.office.run_once();
    EXPECT_THAT(house_.office.run({"status"}).out, HasSubstr("\n  nothing\n"));
    house_.sandbox.process().signal(SIGKILL);
    house_.sandbox.process().wait(soon);
    house_.office.run_once(/*expected_code=*/1);
    const auto status = house_.office.run({"status"}).out;
    EXPECT_THAT(status, HasSubstr("poll FAILED: "));
    EXPECT_THAT(status, Not(HasSubstr("\n  nothing\n")));
}

}  // namespace
}  // namespace drawbridge::e2e
