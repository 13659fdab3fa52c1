// A snapshot rollback of the machine replaces ledger, high-water mark and manifests in place. A witness on another disk
// reveals it, or else a backup or the manifests. While the witness is unavailable, nothing leaves for the bank.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <functional>
#include <regex>

#include "e2e/office.hpp"
#include "support/postgresql_cluster.hpp"

namespace drawbridge::e2e {
namespace {

using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

namespace fs = std::filesystem;

constexpr std::chrono::seconds soon{20};

// A rollback of the block device: every file has its old content and its old inode.
void roll_back(const fs::path& folder, const fs::path& snapshot) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file() && !fs::exists(snapshot / fs::relative(entry.path(), folder)))
            fs::remove(entry.path());
    }
    for (const auto& entry : fs::recursive_directory_iterator(snapshot)) {
        if (!entry.is_regular_file()) continue;
        const auto to = folder / fs::relative(entry.path(), snapshot);
        fs::create_directories(to.parent_path());
        std::ofstream(to, std::ios::binary | std::ios::trunc) << read_file(entry.path());
    }
}

class Witness : public testing::Test {
  protected:
    static OfficeOptions watched(const std::string& more = "") {
        OfficeOptions options;
        options.ledger = "{witness: ../witness" + more + "}";
        return options;
    }
    void start(const OfficeOptions& options) {
        house_.emplace(options);
        fs::create_directories(witness());
    }
    [[nodiscard]] fs::path witness() const { return house_->folder.path() / "witness"; }
    [[nodiscard]] fs::path snapshot() const { return house_->folder.path() / "snapshot"; }
    void begin_witness() const {
        house_->office.run({"run", "--once"});  // creates the ledger
        const auto made = house_->office.run({"witness", "init"});
        ASSERT_EQ(to_string(made.exit), "exit 0") << made.err;
        house_->office.run_once();
    }
    void approved(std::int64_t id, std::int64_t cents) const {
        house_->sandbox.add({id, cents, "ACH-" + std::to_string(id), 12, 4});
    }
    void run_and_collect(int code = 0) {
        house_->office.run_once(code);
        house_->bank.collect(house_->office.outgoing());
    }
    void take_snapshot() const {
        fs::copy(house_->office.state(), snapshot(), fs::copy_options::recursive);
        if (on_postgresql()) test::PostgresqlCluster::instance().take_snapshot();
    }
    void roll_back_to_snapshot() const {
        roll_back(house_->office.state(), snapshot());
        if (on_postgresql()) test::PostgresqlCluster::instance().roll_back_to_snapshot();
    }
    // Draw 1 was paid after the snapshot. Nothing pays it again, not even a resume that ends the restoration.
    void expect_not_paid_again() {
        for (int runs = 0; runs < 2; ++runs) {
            house_->office.run({"run", "--once"});
            house_->bank.collect(house_->office.outgoing());
        }
        EXPECT_THAT(house_->office.open_exceptions(), Contains("ledger_is_older"));
        EXPECT_THAT(house_->office.open_exceptions(1), Contains("possibly_paid"));
        EXPECT_EQ(to_string(house_->office.run({"resume", "--reason", "the bank was asked"}).exit), "exit 0");
        house_->sandbox.add({2, 102'00, "ACH-2", 12, 4, in_two_hours()});
        for (int runs = 0; runs < 2; ++runs)
            run_and_collect();
        EXPECT_THAT(house_->bank.times_paid(), testing::AllOf(SizeIs(2), Each(Pair(testing::_, 1))));
        EXPECT_THAT(house_->bank.references_used_twice(), IsEmpty());
        EXPECT_THAT(house_->office.open_exceptions(1), Contains("possibly_paid"));
    }

    std::optional<House> house_;
};

TEST_F(Witness, reveals_a_snapshot_rollback_and_nothing_is_paid_twice) {
    start(watched());
    begin_witness();
    take_snapshot();
    approved(1, 101'00);
    run_and_collect();
    ASSERT_THAT(house_->bank.times_paid(), SizeIs(1));
    roll_back_to_snapshot();
    expect_not_paid_again();
    EXPECT_THAT(house_->office.run({"status"}).out, HasSubstr("witness   "));
}

// The process is rolled back with its machine. It continues with its old memory and checks before each write.
TEST_F(Witness, reveals_a_rollback_under_a_running_daemon) {
    auto options = watched();
    options.release = "manual";
    start(options);
    begin_witness();
    approved(1, 101'00);
    house_->office.run_once();
    const auto daemon = house_->office.start_daemon();
    // After its first round, the daemon writes the mark only when it changes.
    ASSERT_TRUE(eventually([&] { return house_->office.daemon_log().contains("report: "); }));
    write_file(witness() / "high-water.mark",
               "999999 " + std::string(64, 'a') + "\nexport 7 " + std::string(64, 'b') + "\ntrace_sequence 500\n");
    EXPECT_TRUE(eventually([&] { return house_->office.open_exceptions().size() > 0; }));
    const auto file = house_->office.json({"files"}).at("files").at(0).at("name").get<std::string>();
    const auto refused = house_->office.run({"release", file, "--reason", "agreed"});
    EXPECT_EQ(to_string(refused.exit), "exit 1") << refused.out;
    EXPECT_THAT(files_in(house_->office.outgoing()), IsEmpty());
    EXPECT_THAT(house_->office.open_exceptions(), Contains("ledger_is_older"));
}

TEST_F(Witness, ahead_of_the_ledgers_mark_after_a_crash_starts_no_restoration) {
    start(watched());
    begin_witness();
    approved(1, 101'00);
    const auto died = house_->office.run_to_crash("keep.witness_written:1");
    ASSERT_EQ(died.exit.signal, SIGKILL) << died.err;
    run_and_collect();
    EXPECT_THAT(house_->bank.times_paid(), SizeIs(1));
    EXPECT_THAT(house_->office.open_exceptions(), IsEmpty());
    house_->office.expect_verified();
}

struct Obstacle {
    std::string name;
    std::string says;
    std::function<void(const fs::path& witness)> make;
    std::function<void(const fs::path& witness)> clear;
    bool hangs = false;
};
void PrintTo(const Obstacle& obstacle, std::ostream* out) {
    *out << obstacle.name;
}

void set_aside(const fs::path& witness) {
    fs::rename(witness, witness.string() + ".aside");
}
void put_in_place(const fs::path& witness) {
    fs::remove_all(witness);
    fs::rename(witness.string() + ".aside", witness);
}

const Obstacle obstacles[] = {
    {"gone", "so it is not a witness", set_aside, put_in_place},
    {"not_mounted", "so it is not a witness",
     [](const fs::path& witness) {
         set_aside(witness);
         fs::create_directory(witness);
     },
     put_in_place},
    {"of_another_ledger", "the witness of a ledger other than",
     [](const fs::path& witness) {
         set_aside(witness);
         fs::create_directory(witness);
         write_file(witness / "drawbridge-witness", "witness of ledger 0123456789\n");
         write_file(witness / "high-water.mark", "0 0123456789\n");
     },
     put_in_place},
    {"without_its_mark", "high-water.mark is missing",
     [](const fs::path& witness) { fs::rename(witness / "high-water.mark", witness / "aside"); },
     [](const fs::path& witness) { fs::rename(witness / "aside", witness / "high-water.mark"); }},
    {"no_folder", "Not a directory",
     [](const fs::path& witness) {
         set_aside(witness);
         write_file(witness, "");
     },
     put_in_place},
    // A hanging file system: nothing writes to the pipe.
    {"hung", "did not answer within",
     [](const fs::path& witness) {
         set_aside(witness);
         fs::create_directory(witness);
         ::mkfifo((witness / "drawbridge-witness").c_str(), 0600);
     },
     put_in_place, /*hangs=*/true},
};

class WitnessOutOfReach : public Witness, public testing::WithParamInterface<Obstacle> {};

TEST_P(WitnessOutOfReach, blocks_releases_until_it_is_back) {
    start(watched());
    begin_witness();
    approved(1, 101'00);
    GetParam().make(witness());
    const auto configuration = house_->office.folder() / "drawbridge.yaml";
    const std::string patient = read_file(configuration);
    if (GetParam().hangs)
        write_file(configuration, std::regex_replace(patient, std::regex("../witness"), "$&, witness_timeout: 300ms"));
    run_and_collect(/*code=*/1);
    write_file(configuration, patient);
    EXPECT_THAT(house_->bank.times_paid(), IsEmpty());
    const auto exceptions = house_->office.json({"exceptions"}).at("exceptions");
    ASSERT_THAT(exceptions, SizeIs(1));
    EXPECT_EQ(exceptions.at(0).at("reason_code"), "witness_unreachable");
    EXPECT_THAT(exceptions.at(0).at("detail").get<std::string>(), HasSubstr(GetParam().says));
    GetParam().clear(witness());
    run_and_collect();
    EXPECT_THAT(house_->bank.times_paid(), SizeIs(1));
    EXPECT_THAT(house_->office.open_exceptions(), IsEmpty());
    house_->office.expect_verified();
}

INSTANTIATE_TEST_SUITE_P(Obstacles, WitnessOutOfReach, testing::ValuesIn(obstacles),
                         [](const auto& one) { return one.param.name; });

TEST_F(Witness, that_hangs_blocks_neither_requests_nor_shutdown) {
    start(watched(", witness_timeout: 60s"));
    begin_witness();
    set_aside(witness());
    fs::create_directory(witness());
    ASSERT_EQ(::mkfifo((witness() / "drawbridge-witness").c_str(), 0600), 0);
    auto daemon = house_->office.start_daemon();
    ASSERT_TRUE(eventually([&] { return fs::exists(house_->office.state() / "drawbridge.sock"); }));
    EXPECT_EQ(to_string(house_->office.run({"status"}).exit), "exit 0") << "the daemon answers while the witness hangs";
    daemon.signal(SIGTERM);
    const auto exit = daemon.wait(soon);
    ASSERT_TRUE(exit) << house_->office.daemon_log();
    EXPECT_EQ(to_string(*exit), "exit 0");
}

TEST_F(Witness, without_permission_blocks_releases) {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can run as another user";
    start(watched());
    begin_witness();
    approved(1, 101'00);
    ::chmod(witness().c_str(), 0700);
    const auto run = house_->office.run_as_nobody({"run", "--once"});
    house_->office.give_back();
    EXPECT_EQ(to_string(run.exit), "exit 1");
    EXPECT_THAT(files_in(house_->office.outgoing()), IsEmpty());
    const auto exceptions = house_->office.json({"exceptions"}).at("exceptions");
    ASSERT_THAT(exceptions, SizeIs(1));
    EXPECT_THAT(exceptions.at(0).at("detail").get<std::string>(), HasSubstr("Permission denied"));
}

TEST_F(Witness, is_required_for_automatic_release) {
    OfficeOptions options;
    options.ledger = "{}";
    start(options);
    for (const auto* command : {"check", "run"}) {
        const auto refused = house_->office.run({command});
        EXPECT_EQ(to_string(refused.exit), "exit 78") << command;
        EXPECT_THAT(refused.err + refused.out, HasSubstr("ledger.witness is not set")) << command;
    }
    options.release = "manual";
    const Office manual(house_->folder.path() / "manual", house_->sandbox.port(), options);
    fs::remove_all(house_->office.folder());
    const auto warned = manual.run({"check"});
    EXPECT_EQ(to_string(warned.exit), "exit 0") << warned.err;
    EXPECT_THAT(warned.out + warned.err, HasSubstr("ledger.witness is not set"));
}

TEST_F(Witness, on_the_same_disk_is_a_warning_and_none_is_shown) {
    start(watched());
    EXPECT_THAT(house_->office.run({"check"}).err + house_->office.run({"check"}).out,
                HasSubstr("is on the same disk as state_dir"));
    const Office none(house_->folder.path() / "none", house_->sandbox.port());
    fs::remove_all(house_->office.folder());
    EXPECT_THAT(none.run({"check"}).out, HasSubstr("witness   none"));
    none.run_once();
    EXPECT_THAT(none.run({"status"}).out, HasSubstr("witness   none, on purpose"));
}

TEST_F(Witness, init_refuses_another_ledgers_folder_and_can_be_repeated) {
    start(watched());
    begin_witness();
    EXPECT_THAT(house_->office.run({"witness", "init"}).out, HasSubstr("already"));
    write_file(witness() / "drawbridge-witness", "witness of ledger 0123456789\n");
    const auto refused = house_->office.run({"witness", "init"});
    EXPECT_EQ(to_string(refused.exit), "exit 1");
    EXPECT_THAT(refused.err, HasSubstr("a ledger other than"));
}

// Without a witness: other traces outside the snapshot.
TEST_F(Witness, is_not_needed_with_a_newer_backup_elsewhere) {
    start({});
    house_->office.configure("backup: {folder: ../copies}\n");
    house_->office.run_once();
    take_snapshot();
    approved(1, 101'00);
    run_and_collect();
    ASSERT_THAT(house_->bank.times_paid(), SizeIs(1));
    ASSERT_EQ(to_string(house_->office.run({"backup"}).exit), "exit 0");
    roll_back_to_snapshot();
    expect_not_paid_again();
}

TEST_F(Witness, is_not_needed_if_the_manifests_survive) {
    start({});
    house_->office.run_once();
    take_snapshot();
    approved(1, 101'00);
    run_and_collect();
    ASSERT_THAT(house_->bank.times_paid(), SizeIs(1));
    fs::remove_all(snapshot() / "spool" / "manifests");
    fs::copy(house_->office.state() / "spool" / "manifests", snapshot() / "spool" / "manifests");
    roll_back_to_snapshot();
    house_->office.run_once();
    EXPECT_THAT(house_->office.open_exceptions(), Contains("ledger_is_older"));
    EXPECT_THAT(house_->office.open_exceptions(1), Contains("paid_after_backup"));
    EXPECT_THAT(files_in(house_->office.outgoing()), IsEmpty());
}

}  // namespace
}  // namespace drawbridge::e2e
