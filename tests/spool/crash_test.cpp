// The spool crashes at every durable step, and a new process continues.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <functional>

#include "drawbridge/domain/digest.hpp"
#include "drawbridge/spool/spool.hpp"
#include "spool/temporary_folder.hpp"

namespace drawbridge::spool {
namespace {

using namespace std::chrono_literals;
using Names = std::set<std::string>;

// Runs `steps` in a child process, which dies at `crash_at` (empty: never). True: it died there.
// The parent must not pass a crash point itself: the first one reads the setting for all of its children.
bool dies_at(const std::string& crash_at, const std::function<void()>& steps) {
    const pid_t child = ::fork();
    if (child == 0) {
        if (!crash_at.empty()) ::setenv("DRAWBRIDGE_CRASH_AT", (crash_at + ":1").c_str(), 1);
        steps();
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) {
        EXPECT_EQ(WTERMSIG(status), SIGKILL) << crash_at;
        return true;
    }
    EXPECT_EQ(WEXITSTATUS(status), 0) << crash_at;
    return false;
}

void require(bool condition) {
    if (!condition) ::_exit(1);
}

TEST(SpoolCrash, staging_leaves_a_complete_file_or_none_and_can_be_repeated) {
    for (const std::string point :
         {"pay.staged_written", "pay.staged_synced", "pay.staged_renamed", "pay.staged_durable"}) {
        const TemporaryFolder state;
        const std::string bytes(100'000, 'x');
        const auto step = [&] { require(Spool(state.path()).write_staged("ach-1.txt", bytes) == sha256_hex(bytes)); };
        ASSERT_TRUE(dies_at(point, step)) << point;
        const auto file = state.path() / "spool/staged/ach-1.txt";
        const bool renamed = point == "pay.staged_renamed" || point == "pay.staged_durable";
        EXPECT_EQ(std::filesystem::exists(file), renamed) << point;
        if (renamed) {
            EXPECT_EQ(read_file(file), bytes) << point;
        }
        ASSERT_FALSE(dies_at("", step)) << point;
        EXPECT_EQ(read_file(file), bytes) << point;
        EXPECT_EQ(names_in(state.path() / "spool/staged"), Names{"ach-1.txt"}) << point;
    }
}

TEST(SpoolCrash, release_leaves_the_file_in_exactly_one_folder) {
    for (const std::string point : {"pay.released_renamed", "pay.released_durable"}) {
        const TemporaryFolder state;
        ASSERT_FALSE(dies_at("", [&] { require(Spool(state.path()).write_staged("ach-1.txt", "x").has_value()); }));
        ASSERT_TRUE(dies_at(point, [&] { (void)Spool(state.path()).release("ach-1.txt"); })) << point;
        EXPECT_EQ(names_in(state.path() / "spool/staged"), Names{}) << point;
        EXPECT_EQ(names_in(state.path() / "spool/outgoing"), Names{"ach-1.txt"}) << point;
        ASSERT_FALSE(dies_at("", [&] {
            Spool spool(state.path());
            require(spool.staged_sha256("ach-1.txt") == std::nullopt);
            require(spool.release("ach-1.txt").error().code == ErrorCode::not_found);
        }));
        EXPECT_EQ(read_file(state.path() / "spool/outgoing/ach-1.txt"), "x") << point;
    }
}

TEST(SpoolCrash, a_claimed_file_is_found_again_and_archived) {
    const TemporaryFolder state;
    const Instant now = parse_instant("2026-03-04T05:06:07Z").value();
    ASSERT_FALSE(dies_at("", [&] { (void)Spool(state.path()); }));
    write_file(state.path() / "inbox/a.csv", "confirmations");
    ASSERT_TRUE(dies_at("confirm.claimed", [&] { (void)Spool(state.path()).claim("a.csv", now); }));
    EXPECT_EQ(names_in(state.path() / "inbox"), Names{});
    const auto archive = [&] {
        Spool spool(state.path());
        const auto left = spool.claimed();
        require(left.size() == 1 && left[0].original_name == "a.csv");
        const auto snapshot = spool.open_snapshot(left[0], 100);
        require(snapshot && spool.archive(left[0], *snapshot, 2026y / 3 / 4).has_value());
    };
    ASSERT_TRUE(dies_at("confirm.archived", archive));
    EXPECT_EQ(names_in(state.path() / "spool/claimed"), Names{});
    EXPECT_EQ(names_in(state.path() / "spool/archive/2026/03/04").size(), 1U);
}

TEST(SpoolCrash, a_copy_from_another_file_system_is_at_worst_a_duplicate_with_the_same_bytes) {
    struct stat there{};
    if (::stat("/dev/shm", &there) != 0 || ::access("/dev/shm", W_OK) != 0) GTEST_SKIP() << "no second file system";
    const TemporaryFolder state;
    const TemporaryFolder share("/dev/shm");
    const Instant now = parse_instant("2026-03-04T05:06:07Z").value();
    ASSERT_FALSE(dies_at("", [&] { (void)Spool(state.path()); }));
    std::filesystem::remove(state.path() / "inbox");
    std::filesystem::create_directory_symlink(share.path(), state.path() / "inbox");
    write_file(share.path() / "a.csv", "confirmations");
    ASSERT_TRUE(dies_at("confirm.copied", [&] { (void)Spool(state.path()).claim("a.csv", now); }));
    EXPECT_EQ(names_in(share.path()), Names{"a.csv"});
    EXPECT_EQ(names_in(state.path() / "spool/claimed").size(), 1U);
    ASSERT_FALSE(dies_at("", [&] {
        Spool spool(state.path());
        require(spool.claim("a.csv", now).has_value());
        for (const auto& file : spool.claimed()) {
            const auto snapshot = spool.open_snapshot(file, 100);
            require(snapshot && snapshot->bytes() == "confirmations" &&
                    spool.archive(file, *snapshot, 2026y / 3 / 4).has_value());
        }
    }));
    EXPECT_EQ(names_in(share.path()), Names{});
    EXPECT_EQ(names_in(state.path() / "spool/claimed"), Names{});
    EXPECT_EQ(names_in(state.path() / "spool/archive/2026/03/04").size(), 1U);
}

TEST(SpoolCrash, quarantine_leaves_the_file_beside_its_report) {
    const TemporaryFolder state;
    const Instant now = parse_instant("2026-03-04T05:06:07Z").value();
    ASSERT_FALSE(dies_at("", [&] { (void)Spool(state.path()); }));
    write_file(state.path() / "inbox/a.csv", "confirmations");
    ASSERT_TRUE(dies_at("confirm.archived", [&] {
        Spool spool(state.path());
        (void)spool.quarantine(spool.claim("a.csv", now).value(), "", "bad");
    }));
    EXPECT_EQ(names_in(state.path() / "spool/claimed"), Names{});
    EXPECT_EQ(names_in(state.path() / "quarantine").size(), 2U);
}

}  // namespace
}  // namespace drawbridge::spool
