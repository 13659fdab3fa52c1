// A full or read-only disk: nothing is lost, an exception is raised, and the daemon continues when there is space.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "e2e/office.hpp"

namespace drawbridge::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

constexpr rlim_t less_than_a_page = 4096;

// Limits the file size of a running process: a full disk that the test can control.
void limit_files_of(const Process& process, rlim_t bytes) {
    const rlimit limit{bytes, RLIM_INFINITY};
    ASSERT_EQ(::prlimit(process.id(), RLIMIT_FSIZE, &limit, nullptr), 0) << std::strerror(errno);
}

// Limits the file size of programs started meanwhile.
class LimitedFiles {
  public:
    explicit LimitedFiles(rlim_t bytes) {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit{bytes, before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    LimitedFiles(const LimitedFiles&) = delete;
    LimitedFiles& operator=(const LimitedFiles&) = delete;
    ~LimitedFiles() { ::setrlimit(RLIMIT_FSIZE, &before_); }

  private:
    rlimit before_{};
};

// A small tmpfs disk. Mounting one may need root.
class SmallDisk {
  public:
    explicit SmallDisk(fs::path folder) : folder_(std::move(folder)) {
        fs::create_directories(folder_);
        mounted_ = ::mount("tmpfs", folder_.c_str(), "tmpfs", 0, "size=128k,mode=750") == 0;
    }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;
    ~SmallDisk() {
        if (mounted_) ::umount2(folder_.c_str(), MNT_DETACH);
    }
    [[nodiscard]] bool is_there() const { return mounted_; }
    void make_read_only() const {
        ASSERT_EQ(::mount("tmpfs", folder_.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, nullptr), 0);
    }
    // Fills the disk completely.
    void fill() const {
        std::ofstream out(folder_ / "filler", std::ios::binary);
        const std::string block(4096, 'x');
        while (out.write(block.data(), static_cast<std::streamsize>(block.size())).flush()) {
        }
    }
    void grow() const { ASSERT_EQ(::mount("tmpfs", folder_.c_str(), "tmpfs", MS_REMOUNT, "size=64m"), 0); }
    void free_space() const { fs::remove(folder_ / "filler"); }

  private:
    fs::path folder_;
    bool mounted_ = false;
};

Process start(const Office& office) {
    auto daemon = office.start_daemon();
    EXPECT_TRUE(eventually([&] { return fs::exists(office.state() / "drawbridge.sock") || !daemon.running(); }));
    return daemon;
}

std::string disk_problem(const Office& office) {
    const auto status = office.json({"status"});
    return status.at("no_space").is_null() ? std::string() : status.at("no_space").get<std::string>();
}

void stop_cleanly(Process& daemon, const Office& office) {
    daemon.signal(SIGTERM);
    const auto exit = daemon.wait(std::chrono::seconds(10));
    ASSERT_TRUE(exit.has_value());
    EXPECT_EQ(to_string(*exit), "exit 0") << office.daemon_log();
    office.expect_verified();
}

TEST(FullDisk, of_the_ledger_is_reported_and_waited_out) {
    ABOUT_THE_FILE();
    House house;
    const Office& office = house.office;
    auto daemon = start(office);
    ASSERT_TRUE(eventually([&] { return !office.json({"status"}).at("runs").empty(); }));
    limit_files_of(daemon, less_than_a_page);
    house.sandbox.add({1, 250'00, "ACH-1"});
    ASSERT_TRUE(eventually([&] { return !disk_problem(office).empty(); })) << office.daemon_log();
    EXPECT_THAT(disk_problem(office),
                AllOf(HasSubstr("no space left on " + office.state().string()), HasSubstr("ledger.db")));
    EXPECT_THAT(office.run({"status"}).out, HasSubstr("STOPPED: no space left on"));
    const auto refused = office.run({"pause", "--reason", "look at the disk"});
    EXPECT_EQ(to_string(refused.exit), "exit 1");
    EXPECT_THAT(refused.err, HasSubstr("no space left on"));
    EXPECT_TRUE(daemon.running());

    limit_files_of(daemon, RLIM_INFINITY);
    ASSERT_TRUE(eventually([&] { return disk_problem(office).empty(); })) << office.daemon_log();
    ASSERT_TRUE(eventually([&] { return office.state_of(1) == "approved"; })) << office.daemon_log();
    EXPECT_EQ(to_string(office.run({"pay", "--now", "--reason", "month end"}).exit), "exit 0");
    office.release_what_waits();
    EXPECT_EQ(office.state_of(1), "paying");
    EXPECT_THAT(office.open_exceptions(), Not(Contains("disk_full")));
    stop_cleanly(daemon, office);
    EXPECT_EQ(house.sandbox.draw(1).at("approvalCount"), 1);
}

TEST(FullDisk, of_the_payment_files_raises_an_exception_until_there_is_space) {
    House house;
    const Office& office = house.office;
    const SmallDisk disk(office.state() / "spool");
    if (!disk.is_there()) GTEST_SKIP() << "this test needs permission to mount a disk";
    house.sandbox.add({1, 250'00, "ACH-1"});
    auto daemon = start(office);
    ASSERT_TRUE(eventually([&] { return office.state_of(1) == "approved"; })) << office.daemon_log();
    disk.fill();
    const auto refused = office.run({"pay", "--now", "--reason", "month end"});
    EXPECT_EQ(to_string(refused.exit), "exit 1");
    EXPECT_THAT(refused.err, AllOf(HasSubstr("no space left on"), HasSubstr("spool/staged")));
    EXPECT_TRUE(eventually([&] { return !office.open_exceptions().empty(); }));
    EXPECT_THAT(office.open_exceptions(), ElementsAre("disk_full"));
    EXPECT_THAT(office.run({"exceptions"}).out, HasSubstr("no space left on " + office.state().string()));
    EXPECT_EQ(office.state_of(1), "paying") << "planned but not written";
    EXPECT_THAT(files_in(office.outgoing()), SizeIs(0));

    disk.free_space();
    ASSERT_TRUE(eventually([&] {
        office.release_what_waits();
        return !files_in(office.outgoing()).empty();
    })) << office.daemon_log();
    ASSERT_TRUE(eventually([&] { return office.open_exceptions().empty(); })) << office.daemon_log();
    EXPECT_EQ(disk_problem(office), "");
    const auto files = files_in(office.outgoing());
    ASSERT_THAT(files, SizeIs(1));
    EXPECT_THAT(read_payment_file(files.front()), SizeIs(1));
    stop_cleanly(daemon, office);
}

TEST(FullDisk, ends_run_once_with_a_message_and_the_next_run_continues) {
    ABOUT_THE_FILE();
    House house;
    const Office& office = house.office;
    office.run_once();
    house.sandbox.add({1, 250'00, "ACH-1"});
    {
        const LimitedFiles limited(less_than_a_page);
        const auto outcome = office.run({"run", "--once"});
        EXPECT_EQ(to_string(outcome.exit), "exit 74");
        EXPECT_THAT(outcome.err, AllOf(HasSubstr("no space left on"), HasSubstr("the next run continues")));
    }
    office.run_once();
    office.run_once();
    EXPECT_EQ(office.state_of(1), "paying");
    office.expect_verified();
}

TEST(FullDisk, prevents_the_check_of_the_ledger_but_not_other_work) {
    House house;
    const Office& office = house.office;
    write_file(office.state() / "ledger.verify", "left by a killed daemon");
    auto daemon = start(office);
    ASSERT_TRUE(eventually([&] { return !office.json({"status"}).at("runs").empty(); }));
    EXPECT_TRUE(eventually([&] { return !fs::exists(office.state() / "ledger.verify"); }));
    limit_files_of(daemon, less_than_a_page);
    const auto refused = office.run({"verify"});
    EXPECT_EQ(to_string(refused.exit), "exit 1");
    EXPECT_THAT(refused.err, HasSubstr("ledger.verify"));
    EXPECT_FALSE(fs::exists(office.state() / "ledger.verify"));
    EXPECT_EQ(to_string(office.run({"status"}).exit), "exit 0");
    EXPECT_TRUE(daemon.running());
    limit_files_of(daemon, RLIM_INFINITY);
    EXPECT_EQ(to_string(office.run({"verify"}).exit), "exit 0");
    EXPECT_FALSE(fs::exists(office.state() / "ledger.verify"));
    stop_cleanly(daemon, office);
}

TEST(FullDisk, of_the_backups_raises_an_exception_until_the_next_backup) {
    House house;
    const Office& office = house.office;
    const SmallDisk disk(house.folder.path() / "copies");
    if (!disk.is_there()) GTEST_SKIP() << "this test needs permission to mount a disk";
    office.configure("backup: {every: 1s, folder: " + (house.folder.path() / "copies").string() + "}\n");
    house.sandbox.add({1, 250'00, "ACH-1"});
    auto daemon = start(office);
    ASSERT_TRUE(eventually([&] { return !office.open_exceptions().empty(); })) << office.daemon_log();
    EXPECT_THAT(office.open_exceptions(), ElementsAre("backup_failed"));
    EXPECT_THAT(office.run({"exceptions"}).out, HasSubstr("the scheduled backup of the ledger failed"));
    EXPECT_EQ(disk_problem(office), "") << "the daemon itself continues";
    ASSERT_TRUE(eventually([&] { return office.state_of(1) == "approved"; })) << office.daemon_log();
    EXPECT_THAT(files_in(house.folder.path() / "copies"), SizeIs(0)) << "no partial backup remains";
    stop_cleanly(daemon, office);
    disk.grow();
    office.run_once();
    EXPECT_THAT(office.open_exceptions(), Not(Contains("backup_failed")));
    EXPECT_FALSE(office.json({"backup", "--list"}).at("backups").empty());
}

TEST(FullDisk, of_a_backup_that_a_person_makes_is_named_as_the_cause) {
    House house;
    const SmallDisk disk(house.folder.path() / "copies");
    if (!disk.is_there()) GTEST_SKIP() << "this test needs permission to mount a disk";
    house.office.run_once();
    const auto file = house.folder.path() / "copies" / "by-hand.db";
    const auto refused = house.office.run({"backup", file.string()});
    EXPECT_EQ(to_string(refused.exit), "exit 1");
    EXPECT_THAT(refused.err, AllOf(HasSubstr(file.string()), HasSubstr("disk is full")));
    EXPECT_THAT(files_in(house.folder.path() / "copies"), SizeIs(0)) << "no partial backup remains";
    disk.grow();
    EXPECT_EQ(to_string(house.office.run({"backup", file.string()}).exit), "exit 0");
}

// Through the socket or the inbox: a file that the ledger cannot record is not taken, and nothing is lost.
TEST(FullDisk, loses_no_confirmation) {
    ABOUT_THE_FILE();
    House house;
    const Office& office = house.office;
    house.sandbox.add({1, 250'00, "ACH-1"});
    house.sandbox.add({2, 350'00, "ACH-2"});
    for (int i = 0; i < 2; ++i)
        office.run_once();
    ASSERT_EQ(office.state_of(2), "paying");
    const auto taken = house.bank.collect(office.outgoing());
    ASSERT_THAT(taken, SizeIs(2));
    auto daemon = start(office);
    ASSERT_TRUE(eventually([&] { return office.json({"status"}).at("daemon").at("doing") == "waiting"; }));
    limit_files_of(daemon, less_than_a_page);
    const auto file = house.folder.path() / "by-hand.csv";
    write_file(file, confirmation_csv({taken.at(0)}));
    const auto refused = office.run({"ingest", file.string(), "--reason", "month end"});
    EXPECT_EQ(to_string(refused.exit), "exit 1");
    EXPECT_THAT(refused.err, HasSubstr("no space left on"));
    office.drop("dropped.csv", confirmation_csv({taken.at(1)}));
    ASSERT_TRUE(eventually([&] { return !disk_problem(office).empty(); })) << office.daemon_log();
    EXPECT_EQ(office.states(), (std::map<std::int64_t, std::string>{{1, "paying"}, {2, "paying"}}));
    EXPECT_TRUE(daemon.running());

    limit_files_of(daemon, RLIM_INFINITY);
    ASSERT_TRUE(eventually([&] { return disk_problem(office).empty(); })) << office.daemon_log();
    EXPECT_EQ(to_string(office.run({"ingest", file.string(), "--reason", "there is space"}).exit), "exit 0");
    ASSERT_TRUE(eventually([&] {
        return office.states() == std::map<std::int64_t, std::string>{{1, "paid"}, {2, "paid"}};
    })) << office.daemon_log();
    stop_cleanly(daemon, office);
}

TEST(ReadOnlyDisk, of_the_state_folder_is_a_clear_error_at_startup) {
    House house;
    const Office& office = house.office;
    const SmallDisk disk(office.state());
    if (!disk.is_there()) GTEST_SKIP() << "this test needs permission to mount a disk";
    disk.make_read_only();
    for (const std::vector<std::string>& words : {std::vector<std::string>{"run"}, {"run", "--once"}}) {
        const auto outcome = office.run(words);
        EXPECT_EQ(to_string(outcome.exit), "exit 74");
        EXPECT_THAT(outcome.err, AllOf(HasSubstr(office.state().string()), HasSubstr("Read-only file system")));
    }
}

}  // namespace
}  // namespace drawbridge::e2e
