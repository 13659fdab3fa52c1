// Backups and disaster recovery: a restored ledger pays nothing twice.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>

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
using testing::UnorderedElementsAre;

namespace fs = std::filesystem;

constexpr std::string_view hold_everything =
    "version: 1\napprover_id: 1201\nrules:\n  - {name: wait, when: always, hold: not today}\n";
constexpr std::string_view approve_everything =
    "version: 1\napprover_id: 1201\nrules:\n  - {name: all, when: always, approve: {}}\n";

// Draws 1 and 2 were paid before the backup. At the backup, draws 3 and 4 were pending and 5 was approved. Draws 3 and
// 4 were paid after it.
class Disaster : public testing::Test {
  protected:
    Disaster() {
        house_.office.write_rules(std::string(approve_everything));
        house_.sandbox.add({1, 101'00, "ACH-1"});
        house_.sandbox.add({2, 102'00, "CHK-2"});
        run_and_collect();
        house_.office.write_rules(std::string(hold_everything));
        house_.sandbox.add({3, 103'00, "ACH-3"});
        house_.sandbox.add({4, 104'00, "CHK-4"});
        house_.office.run_once();
        expect_exit_0(house_.office.run({"backup", backup_.string()}));
        house_.office.write_rules(std::string(approve_everything));
        run_and_collect();
        EXPECT_THAT(house_.bank.times_paid(), SizeIs(4)) << "two more were paid after the backup";
    }

    static void expect_exit_0(const Outcome& outcome) {
        EXPECT_EQ(to_string(outcome.exit), "exit 0") << outcome.out << outcome.err;
    }
    void run_and_collect() {
        house_.office.run_once();
        house_.bank.collect(house_.office.outgoing());
    }
    void restore() {
        const auto outcome = house_.office.restore(backup_);
        expect_exit_0(outcome);
        if (!on_postgresql()) {
            EXPECT_THAT(outcome.out, HasSubstr("ledger-set-aside-"));
        }
    }
    void resume(const std::vector<std::string>& more = {}) {
        std::vector<std::string> words = {"resume", "--reason", "compared with bank and service"};
        words.insert(words.end(), more.begin(), more.end());
        expect_exit_0(house_.office.run(words));
    }
    void expect_paid_once() {
        EXPECT_THAT(house_.bank.times_paid(), Each(Pair(testing::_, 1)));
        EXPECT_THAT(house_.bank.references_used_twice(), IsEmpty());
        house_.office.expect_verified();
    }

    House house_;
    fs::path backup_ = house_.folder.path() / "morning.db";
};

TEST_F(Disaster, pays_nothing_twice_when_the_service_still_shows_approved) {
    restore();
    house_.sandbox.add({5, 105'00, "ACH-5"});
    const auto refused = house_.office.run({"resume", "--reason", "hurry"});
    EXPECT_EQ(to_string(refused.exit), "exit 1");
    EXPECT_THAT(refused.err, HasSubstr("not yet compared with the service"));
    run_and_collect();
    EXPECT_THAT(house_.bank.times_paid(), SizeIs(4)) << "paused";
    EXPECT_THAT(house_.office.open_exceptions(), Contains("ledger_is_older"));
    // Another machine may have written it, and its spool/outgoing may still have the file.
    EXPECT_EQ(std::ranges::count(house_.office.open_exceptions(), "sent_file_unsure"), on_postgresql() ? 2 : 0);
    EXPECT_THAT(house_.office.open_exceptions(3), UnorderedElementsAre("paid_after_backup"));
    EXPECT_THAT(house_.office.open_exceptions(4), UnorderedElementsAre("paid_after_backup"));
    const auto status = house_.office.run({"status"});
    EXPECT_THAT(status.out, AllOf(HasSubstr("THE LEDGER IS RESTORED ("), HasSubstr("drawbridge resume")));
    resume();
    run_and_collect();
    EXPECT_THAT(house_.bank.times_paid(), AllOf(SizeIs(5), Contains(Pair(105'00, 1)))) << "the new draw is paid";
    expect_paid_once();
    house_.sandbox.disburse_all_approved();
    house_.office.run_once();
    EXPECT_THAT(house_.office.open_exceptions(3), IsEmpty()) << "marked as disbursed in the portal";
    EXPECT_EQ(house_.office.state_of(3), "external");
}

// The restored audit trail is shorter than the numbers that the lines of the manifests name.
TEST_F(Disaster, the_daemon_finds_the_manifests_complete_after_a_restore) {
    constexpr int many = 20;
    for (int i = 0; i < many; ++i) {
        expect_exit_0(house_.office.run({"pause", "--reason", "lunch"}));
        expect_exit_0(house_.office.run({"resume", "--reason", "back"}));
    }
    house_.sandbox.add({5, 105'00, "ACH-5"});
    run_and_collect();
    restore();
    run_and_collect();
    resume();
    auto daemon = house_.office.start_daemon();
    ASSERT_TRUE(eventually([&] { return fs::exists(house_.office.state() / "drawbridge.sock"); }));
    expect_exit_0(house_.office.run({"verify"}));
    daemon.signal(SIGTERM);
    EXPECT_TRUE(daemon.wait(std::chrono::seconds(15)).has_value());
}

TEST_F(Disaster, pays_nothing_twice_when_people_marked_draws_as_disbursed) {
    house_.people_do_their_part("bank.csv");
    restore();
    run_and_collect();
    resume();
    run_and_collect();
    EXPECT_THAT(house_.bank.times_paid(), SizeIs(4));
    expect_paid_once();
}

TEST_F(Disaster, without_manifests_a_person_must_ask_the_bank) {
    for (const auto& file : files_in(house_.office.state() / "spool" / "manifests"))
        fs::remove(file);
    restore();
    run_and_collect();
    EXPECT_THAT(house_.office.open_exceptions(3), Contains("possibly_paid"));
    resume();
    run_and_collect();
    EXPECT_THAT(house_.bank.times_paid(), SizeIs(4)) << "each draw is held";
    EXPECT_THAT(house_.bank.times_paid(), Each(Pair(testing::_, 1)));
}

TEST_F(Disaster, detects_an_old_copy_that_was_copied_into_place) {
    ABOUT_THE_FILE();
    fs::copy_file(backup_, house_.office.state() / "ledger.db", fs::copy_options::overwrite_existing);
    run_and_collect();
    EXPECT_THAT(house_.bank.times_paid(), SizeIs(4));
    EXPECT_THAT(house_.office.open_exceptions(3), UnorderedElementsAre("paid_after_backup"));
    resume();
    run_and_collect();
    expect_paid_once();
}

TEST_F(Disaster, refuses_a_restore_beside_a_daemon_or_of_another_ledger) {
    ABOUT_THE_FILE();
    {
        auto daemon = house_.office.start_daemon();
        ASSERT_TRUE(eventually([&] { return fs::exists(house_.office.state() / "drawbridge.sock"); }));
        const auto refused = house_.office.run({"restore", backup_.string(), "--reason", "x"});
        EXPECT_EQ(to_string(refused.exit), "exit 1");
        EXPECT_THAT(refused.err, HasSubstr("another drawbridge process owns this ledger"));
        daemon.signal(SIGTERM);
        ASSERT_TRUE(daemon.wait(std::chrono::seconds(20)));
    }
    House other;
    other.sandbox.add({1, 101'00, "ACH-1", 12, 4});
    other.office.run_once();
    const auto refused = other.office.run({"restore", backup_.string(), "--reason", "x"});
    EXPECT_EQ(to_string(refused.exit), "exit 1");
    EXPECT_THAT(refused.err, HasSubstr("is a backup of ledger"));
}

TEST_F(Disaster, a_damaged_backup_is_not_restored) {
    ABOUT_THE_FILE();
    {
        std::fstream file(backup_, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(static_cast<std::streamoff>(fs::file_size(backup_) / 2));
        file << std::string(20'000, 'x');
    }
    const auto refused = house_.office.run({"restore", backup_.string(), "--reason", "x"});
    EXPECT_EQ(to_string(refused.exit), "exit 1");
    EXPECT_THAT(refused.err, HasSubstr("not restored"));
    for (const auto& left : fs::directory_iterator(house_.office.state()))
        EXPECT_THAT(left.path().filename().string(), Not(HasSubstr("restored"))) << "a second ledger";
    house_.office.expect_verified();
}

TEST_F(Disaster, the_ledger_itself_is_no_backup) {
    ABOUT_THE_FILE();
    const auto ledger = (house_.office.state() / "ledger.db").string();
    const auto refused = house_.office.run({"restore", ledger, "--reason", "x"});
    EXPECT_EQ(to_string(refused.exit), "exit 1");
    EXPECT_THAT(refused.err, HasSubstr("this is the ledger itself"));
    house_.office.expect_verified();
}

TEST_F(Disaster, a_restore_without_the_sealing_key_says_that_it_is_missing) {
    ABOUT_THE_FILE();
    fs::remove(house_.office.state() / "sealing.key");
    const auto refused = house_.office.run({"restore", backup_.string(), "--reason", "x"});
    EXPECT_EQ(to_string(refused.exit), "exit 1");
    EXPECT_THAT(refused.err, HasSubstr("has no sealing.key"));
}

class RestoreDies : public Disaster, public testing::WithParamInterface<const char*> {};

TEST_P(RestoreDies, and_a_second_restore_succeeds) {
    ABOUT_THE_FILE();
    const auto died = house_.office.act_to_crash(std::string(GetParam()) + ":1",
                                                 {"restore", backup_.string(), "--reason", "the disk died"});
    ASSERT_EQ(died.exit.signal, SIGKILL) << died.err;
    const auto refused = house_.office.run({"run", "--once"});
    EXPECT_EQ(to_string(refused.exit), "exit 1");
    EXPECT_THAT(refused.err, HasSubstr("a restore was interrupted"));
    expect_exit_0(house_.office.run({"restore", backup_.string(), "--reason", "again"}));
    run_and_collect();
    resume();
    run_and_collect();
    EXPECT_THAT(house_.bank.times_paid(), SizeIs(4));
    expect_paid_once();
}

TEST_P(RestoreDies, and_the_second_still_finds_what_people_did_after_the_backup) {
    ABOUT_THE_FILE();
    expect_exit_0(house_.office.run({"people", "add", "Rosa", "--reason", "new"}));
    expect_exit_0(house_.office.run({"people", "lock", "1", "--reason", "fraud"}));
    const auto died = house_.office.act_to_crash(std::string(GetParam()) + ":1",
                                                 {"restore", backup_.string(), "--reason", "the disk died"});
    ASSERT_EQ(died.exit.signal, SIGKILL) << died.err;
    const auto ledger = house_.office.state() / "ledger.db";
    if (!fs::exists(ledger)) write_file(ledger, "");  // as a look with sqlite3 leaves it
    const auto again = house_.office.run({"restore", backup_.string(), "--reason", "again"});
    expect_exit_0(again);
    const bool was_in_place = std::string_view(GetParam()) == "keep.restore_placed";
    EXPECT_EQ(again.out.contains("It does not know 1 act of people since"), !was_in_place) << again.out;
    EXPECT_THAT(house_.office.open_exceptions(), Contains("acts_lost"));
    EXPECT_THAT(house_.office.run({"exceptions"}).out, HasSubstr("Rosa"));
}

INSTANTIATE_TEST_SUITE_P(AtEachStep, RestoreDies,
                         testing::Values("keep.restore_begun", "keep.restore_set_aside", "keep.restore_placed"),
                         [](const auto& point) {
                             std::string name = point.param;
                             std::ranges::replace(name, '.', '_');
                             return name;
                         });

TEST_F(Disaster, an_interrupted_comparison_is_repeated_and_loses_no_hold) {
    restore();
    const auto died = house_.office.run_to_crash("keep.compared:1");
    ASSERT_EQ(died.exit.signal, SIGKILL) << died.err;
    run_and_collect();
    EXPECT_THAT(house_.office.open_exceptions(3), UnorderedElementsAre("paid_after_backup"));
    EXPECT_THAT(house_.office.open_exceptions(4), UnorderedElementsAre("paid_after_backup"));
    resume();
    house_.sandbox.add({5, 105'00, "ACH-5"});
    run_and_collect();
    EXPECT_THAT(house_.bank.times_paid(), SizeIs(5));
    expect_paid_once();
}

class BackupDies : public testing::TestWithParam<const char*> {};

TEST_P(BackupDies, and_the_next_backup_is_good) {
    House house;
    house.sandbox.add({1, 101'00, "ACH-1"});
    house.office.run_once();
    const auto file = house.folder.path() / "copy.db";
    const auto died = house.office.act_to_crash(std::string(GetParam()) + ":1", {"backup", file.string()});
    ASSERT_EQ(died.exit.signal, SIGKILL) << died.err;
    const auto again = house.office.run({"backup", (house.folder.path() / "again.db").string()});
    EXPECT_EQ(to_string(again.exit), "exit 0") << again.err;
    house.office.expect_verified();
}

INSTANTIATE_TEST_SUITE_P(AtEachStep, BackupDies,
                         testing::Values("keep.backup_copied", "keep.backup_verified", "keep.backup_durable",
                                         "keep.backup_committed"),
                         [](const auto& point) {
                             std::string name = point.param;
                             std::ranges::replace(name, '.', '_');
                             return name;
                         });

TEST(Backups, the_daemon_makes_scheduled_backups_and_removes_old_ones) {
    House house;
    const auto config = house.office.folder() / "drawbridge.yaml";
    write_file(config, read_file(config) + "backup: {every: 1s, keep: 2, folder: copies}\n");
    const auto copies = house.office.folder() / "copies";
    fs::create_directory(copies);
    const auto of_another_office = copies / "ledger-20200101T000000Z.db";
    write_file(of_another_office, "");
    house.sandbox.add({1, 101'00, "ACH-1"});
    auto daemon = house.office.start_daemon();
    const auto made = [&] { return house.office.json({"backup", "--list"}).at("backups").size(); };
    ASSERT_TRUE(eventually([&] { return fs::exists(house.office.state() / "drawbridge.sock"); }));
    ASSERT_TRUE(eventually([&] { return made() >= 4; }, std::chrono::seconds(60))) << house.office.daemon_log();
    daemon.signal(SIGTERM);
    ASSERT_TRUE(daemon.wait(std::chrono::seconds(20)));
    const auto newest = house.office.json({"backup", "--list"}).at("backups").at(0);
    EXPECT_TRUE(fs::exists(newest.at("file").get<std::string>()));
    EXPECT_THAT(house.office.run({"backup", "--list"}).out, HasSubstr(" (not there, or another file)"));
    std::size_t whole = 0;
    for (const auto& file : files_in(copies))
        whole += file.extension() == ".db" && file != of_another_office ? 1U : 0U;
    EXPECT_TRUE(fs::exists(of_another_office));
    EXPECT_GE(whole, 2U);
    EXPECT_LE(whole, 3U) << "one more if the daemon stopped before the removal";
    EXPECT_EQ(fs::status(newest.at("file").get<std::string>()).permissions(), fs::perms(0600));
    house.office.expect_verified();
}

TEST(Checks, the_daemon_makes_scheduled_checks_and_exports_the_result) {
    House house;
    house.office.configure("verify: {every: 1s}\nbackup: {every: 0s}\n");
    auto daemon = house.office.start_daemon();
    const auto checked = [&] {
        const auto text = house.office.run({"metrics"}).out;
        return text.find("drawbridge_invariant_violations{invariant=\"11\"} 0") != std::string::npos &&
               text.find("drawbridge_invariant_violations{invariant=\"12\"} 0") != std::string::npos &&
               text.find("drawbridge_invariants_last_check_timestamp_seconds") != std::string::npos;
    };
    EXPECT_TRUE(eventually(checked, std::chrono::seconds(30))) << house.office.daemon_log();
    EXPECT_THAT(house.office.daemon_log(), HasSubstr("verify: every invariant holds"));
    daemon.signal(SIGTERM);
    ASSERT_TRUE(daemon.wait(std::chrono::seconds(20)));
}

TEST(Backups, a_failed_backup_raises_an_exception) {
    House house;
    house.office.run_once();
    const auto config = house.office.folder() / "drawbridge.yaml";
    write_file(config, read_file(config) + "backup: {every: 1s, folder: issue.yaml}\n");
    EXPECT_TRUE(eventually([&] {
        house.office.run({"run", "--once"});
        return !house.office.open_exceptions().empty();
    }));
    EXPECT_THAT(house.office.open_exceptions(), UnorderedElementsAre("backup_failed"));
}

TEST(Backups, never_overwrite_a_file) {
    House house;
    house.office.run_once();
    const auto file = house.folder.path() / "mine.txt";
    write_file(file, "mine");
    const auto refused = house.office.run({"backup", file.string()});
    EXPECT_EQ(to_string(refused.exit), "exit 1");
    EXPECT_THAT(refused.err, HasSubstr("already exists"));
    EXPECT_EQ(read_file(file), "mine");
}

// It would pass for a payment file, a manifest or a file of the bank's.
TEST(Backups, are_never_written_into_the_rest_of_the_state_folder) {
    House house;
    house.office.run_once();
    const auto& state = house.office.state();
    const auto link = house.folder.path() / "link";
    fs::create_directory_symlink(state / "spool", link);
    for (const auto& file :
         {state / "copy.db", state / "spool" / "outgoing" / "ACH-20991231-A.ach", state / "inbox" / "b.csv",
          house.folder.path() / ".." / house.folder.path().filename() / "link" / "manifests" / "x.jsonl"}) {
        const auto refused = house.office.run({"backup", file.string()});
        EXPECT_EQ(to_string(refused.exit), "exit 1") << file;
        EXPECT_THAT(refused.err, HasSubstr("is in the state folder: name a file elsewhere, or in ")) << file;
        EXPECT_FALSE(fs::exists(file)) << file;
    }
    fs::create_directories(state / "backups");
    EXPECT_EQ(to_string(house.office.run({"backup", (state / "backups" / "one-more.db").string()}).exit), "exit 0");
    EXPECT_TRUE(fs::exists(state / "backups" / "one-more.db"));
    const auto nowhere = house.office.run({"backup", (house.folder.path() / "nowhere" / "a.db").string()});
    EXPECT_THAT(nowhere.err, HasSubstr("name a folder that the daemon's user can write to"));
}

// As under systemd: the daemon has a /tmp of its own, and disks that it may not write to.
TEST(Backups, succeed_only_where_the_person_who_asks_finds_them) {
    if (std::system("unshare --mount true 2>/dev/null") != 0) GTEST_SKIP() << "needs root and mount namespaces";
    House house;
    house.office.run_once();
    const auto at = house.folder.path().string();
    for (const char* folder : {"/tmp", "/systemd-private-1/tmp", "/mnt", "/hidden", "/disk"})
        fs::create_directories(at + folder);
    house.office.run_within({"/usr/bin/unshare", "--mount", "/bin/sh", "-c",
                             "cd " + at +
                                 " && mount --bind systemd-private-1/tmp tmp && mount --bind hidden mnt && "
                                 "mount -t tmpfs -o ro none disk && cd / && exec \"$0\" \"$@\""});
    auto daemon = house.office.start_daemon();
    ASSERT_TRUE(eventually([&] { return fs::exists(house.office.state() / "drawbridge.sock"); }));
    house.office.run_within({});
    const auto back_up = [&](const std::string& file) {
        const auto outcome = house.office.run({"backup", at + file});
        EXPECT_EQ(to_string(outcome.exit), "exit 1") << outcome.out;
        return outcome.err;
    };
    EXPECT_THAT(back_up("/tmp/a.db"), HasSubstr("systemd gives the daemon a /tmp of its own"));
    EXPECT_THAT(files_in(at + "/systemd-private-1/tmp"), IsEmpty());
    EXPECT_THAT(back_up("/disk/a.db"), HasSubstr("ReadWritePaths=" + at + "/disk"));
    EXPECT_THAT(house.office.json({"backup", "--list"}).at("backups"), IsEmpty());
    EXPECT_THAT(back_up("/mnt/a.db"), HasSubstr("/mnt/a.db: this file is not there, or is another"));
}

}  // namespace
}  // namespace drawbridge::e2e
