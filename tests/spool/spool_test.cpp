#include "drawbridge/spool/spool.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <system_error>

#include "drawbridge/domain/digest.hpp"
#include "spool/temporary_folder.hpp"

namespace drawbridge::spool {
namespace {

using Names = std::set<std::string>;

class SpoolTest : public testing::Test {
  protected:
    TemporaryFolder folder_;
    std::filesystem::path state_ = folder_.path() / "deep" / "state";
    Spool spool_{state_};
    std::filesystem::path staged_ = state_ / "spool/staged";
    std::filesystem::path outgoing_ = state_ / "spool/outgoing";
};

TEST_F(SpoolTest, folders_are_created_with_their_modes_regardless_of_the_umask) {
    const mode_t before = ::umask(0077);
    const Spool other(folder_.path() / "other/");
    ::umask(before);
    for (const std::string_view name :
         {"spool/outgoing", "spool/uploads", "spool/claimed", "spool/archive", "quarantine", "spool", ""})
        EXPECT_EQ(mode_of(folder_.path() / "other" / name), 0750U) << name;
    EXPECT_EQ(mode_of(folder_.path() / "other/spool/staged"), 0700U) << "no copy leaves before the release";
    EXPECT_EQ(mode_of(folder_.path() / "other/inbox"), 0770U);
}

TEST_F(SpoolTest, a_folder_that_is_moved_away_is_noticed) {
    spool_.require_in_place();
    for (const std::string_view name : {"spool/outgoing", "inbox"}) {
        std::filesystem::rename(state_ / name, folder_.path() / "moved");
        EXPECT_THROW(spool_.require_in_place(), std::runtime_error) << name << " is gone";
        std::filesystem::create_directory(state_ / name);
        EXPECT_THROW(spool_.require_in_place(), std::runtime_error) << name << " is another one";
        std::filesystem::remove(state_ / name);
        std::filesystem::rename(folder_.path() / "moved", state_ / name);
        spool_.require_in_place();
    }
}

TEST_F(SpoolTest, the_mode_of_an_existing_folder_is_unchanged) {
    std::filesystem::permissions(state_ / "inbox", std::filesystem::perms(01777));
    const Spool again(state_);
    EXPECT_EQ(mode_of(state_ / "inbox"), 01777U);
}

TEST_F(SpoolTest, a_file_in_place_of_a_folder_is_an_error) {
    std::filesystem::remove(state_ / "quarantine");
    write_file(state_ / "quarantine", "");
    EXPECT_THROW(Spool{state_}, std::system_error);
}

TEST_F(SpoolTest, write_staged_returns_the_hash_of_the_file) {
    const std::string bytes(3'000'000, 'x');
    const auto hash = spool_.write_staged("ach-1.txt", bytes);
    ASSERT_TRUE(hash);
    EXPECT_EQ(*hash, sha256_hex(bytes));
    EXPECT_EQ(spool_.staged_sha256("ach-1.txt"), *hash);
    EXPECT_EQ(read_file(staged_ / "ach-1.txt"), bytes);
    EXPECT_EQ(mode_of(staged_ / "ach-1.txt"), 0640U);
    EXPECT_EQ(names_in(staged_), Names{"ach-1.txt"});
}

TEST_F(SpoolTest, write_staged_replaces_a_leftover_and_the_file) {
    write_file(staged_ / ".ach-1.txt.tmp", "half of");
    ASSERT_TRUE(spool_.write_staged("ach-1.txt", "first"));
    ASSERT_TRUE(spool_.write_staged("ach-1.txt", "second"));
    EXPECT_EQ(read_file(staged_ / "ach-1.txt"), "second");
    EXPECT_EQ(names_in(staged_), Names{"ach-1.txt"});
}

TEST_F(SpoolTest, write_staged_never_follows_a_planted_link) {
    write_file(folder_.path() / "victim", "untouched");
    std::filesystem::create_symlink(folder_.path() / "victim", staged_ / ".ach-1.txt.tmp");
    std::filesystem::create_symlink(folder_.path() / "victim", staged_ / "ach-1.txt");
    ASSERT_TRUE(spool_.write_staged("ach-1.txt", "payments"));
    EXPECT_EQ(read_file(folder_.path() / "victim"), "untouched");
    EXPECT_FALSE(std::filesystem::is_symlink(staged_ / "ach-1.txt"));
}

TEST_F(SpoolTest, invalid_payment_file_names_are_refused) {
    const std::string names[] = {"",
                                 ".",
                                 "..",
                                 "../x",
                                 "a/b",
                                 "/etc/passwd",
                                 ".hidden",
                                 "a b",
                                 "a\nb",
                                 "-rf",
                                 "é",
                                 std::string("a\0b", 3),
                                 std::string(201, 'a')};
    for (const std::string& name : names) {
        const auto written = spool_.write_staged(name, "x");
        ASSERT_FALSE(written) << name;
        EXPECT_EQ(written.error().code, ErrorCode::invalid_input);
        EXPECT_EQ(spool_.staged_sha256(name), std::nullopt);
        EXPECT_EQ(spool_.outgoing_sha256(name), std::nullopt);
        EXPECT_EQ(spool_.release(name).error().code, ErrorCode::invalid_input);
        EXPECT_FALSE(spool_.remove_staged(name));
    }
    EXPECT_EQ(names_in(staged_), Names{});
    EXPECT_TRUE(spool_.write_staged("ACH_20260304-A.txt", "x"));
    EXPECT_TRUE(spool_.write_staged(std::string(200, 'a'), "x"));
}

TEST_F(SpoolTest, a_missing_or_special_file_has_no_hash) {
    EXPECT_EQ(spool_.staged_sha256("absent"), std::nullopt);
    std::filesystem::create_directory(staged_ / "folder");
    EXPECT_EQ(spool_.staged_sha256("folder"), std::nullopt);
    std::filesystem::create_symlink("/etc/passwd", outgoing_ / "link");
    EXPECT_EQ(spool_.outgoing_sha256("link"), std::nullopt);
}

TEST_F(SpoolTest, a_staged_file_is_released_once) {
    ASSERT_TRUE(spool_.write_staged("ach-1.txt", "payments"));
    ASSERT_TRUE(spool_.release("ach-1.txt"));
    EXPECT_EQ(names_in(staged_), Names{});
    EXPECT_EQ(read_file(outgoing_ / "ach-1.txt"), "payments");
    EXPECT_EQ(spool_.outgoing_sha256("ach-1.txt"), sha256_hex("payments"));
    EXPECT_EQ(spool_.release("ach-1.txt").error().code, ErrorCode::not_found);
    EXPECT_EQ(read_file(outgoing_ / "ach-1.txt"), "payments");
}

TEST_F(SpoolTest, release_never_replaces_a_file) {
    write_file(outgoing_ / "ach-1.txt", "an older file");
    ASSERT_TRUE(spool_.write_staged("ach-1.txt", "payments"));
    EXPECT_EQ(spool_.release("ach-1.txt").error().code, ErrorCode::conflict);
    EXPECT_EQ(read_file(outgoing_ / "ach-1.txt"), "an older file");
    EXPECT_EQ(read_file(staged_ / "ach-1.txt"), "payments");
}

TEST_F(SpoolTest, a_release_that_died_between_link_and_unlink_is_finished) {
    ASSERT_TRUE(spool_.write_staged("ach-1.txt", "payments"));
    std::filesystem::create_hard_link(staged_ / "ach-1.txt", outgoing_ / "ach-1.txt");
    ASSERT_TRUE(spool_.release("ach-1.txt"));
    EXPECT_EQ(names_in(staged_), Names{});
    EXPECT_EQ(read_file(outgoing_ / "ach-1.txt"), "payments");
}

TEST_F(SpoolTest, a_delivered_file_is_archived_once_and_never_over_another) {
    const auto date = parse_date("2026-03-04").value();
    ASSERT_TRUE(spool_.write_staged("a.ach", "101\n"));
    EXPECT_EQ(spool_.read_staged("a.ach").value(), "101\n");
    ASSERT_TRUE(spool_.release("a.ach"));
    EXPECT_EQ(spool_.outgoing_size("a.ach"), 4U);
    const auto path = spool_.archive_payment_file(Place::outgoing, "a.ach", date);
    ASSERT_TRUE(path);
    EXPECT_EQ(*path, "spool/archive/2026/03/04/a.ach");
    EXPECT_FALSE(spool_.outgoing_size("a.ach").has_value());
    EXPECT_EQ(spool_.archive_payment_file(Place::outgoing, "a.ach", date).value(), *path) << "again after a crash";
    EXPECT_EQ(spool_.archive_payment_file(Place::outgoing, "b.ach", date).value(), std::nullopt);
    // First the same bytes under both names, as a link without the unlink leaves them; then different bytes.
    ASSERT_TRUE(spool_.write_staged("a.ach", "101\n"));
    EXPECT_EQ(spool_.archive_payment_file(Place::staged, "a.ach", date).value(), *path);
    EXPECT_FALSE(spool_.staged_sha256("a.ach").has_value());
    ASSERT_TRUE(spool_.write_staged("a.ach", "102\n"));
    EXPECT_EQ(spool_.archive_payment_file(Place::staged, "a.ach", date).error().code, ErrorCode::conflict);
    EXPECT_EQ(spool_.read_staged("a.ach").value(), "102\n");
    EXPECT_EQ(spool_.read_staged("absent.ach").error().code, ErrorCode::not_found);
}

TEST_F(SpoolTest, remove_staged_removes_the_file) {
    ASSERT_TRUE(spool_.write_staged("ach-1.txt", "payments"));
    EXPECT_TRUE(spool_.remove_staged("ach-1.txt"));
    EXPECT_FALSE(spool_.remove_staged("ach-1.txt"));
    EXPECT_EQ(names_in(staged_), Names{});
}

// A full disk, simulated by the limit on a file's size.
TEST_F(SpoolTest, a_full_disk_leaves_no_partial_file_and_the_next_attempt_works) {
    ASSERT_TRUE(spool_.write_staged("ach-1.txt", "before"));
    rlimit limit{};
    ::getrlimit(RLIMIT_FSIZE, &limit);
    const rlimit small{100'000, limit.rlim_max};
    const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
    ::setrlimit(RLIMIT_FSIZE, &small);
    std::string message;
    try {
        (void)spool_.write_staged("ach-1.txt", std::string(200'000, 'x'));
    } catch (const std::system_error& error) {
        message = error.what();
    }
    ::setrlimit(RLIMIT_FSIZE, &limit);
    std::signal(SIGXFSZ, old_handler);
    EXPECT_NE(message.find("cannot write " + (staged_ / "ach-1.txt").string()), std::string::npos) << message;
    EXPECT_EQ(names_in(staged_), Names{"ach-1.txt"});
    EXPECT_EQ(read_file(staged_ / "ach-1.txt"), "before");
    ASSERT_TRUE(spool_.write_staged("ach-1.txt", std::string(200'000, 'x')));
    EXPECT_EQ(read_file(staged_ / "ach-1.txt").size(), 200'000U);
}

}  // namespace
}  // namespace drawbridge::spool
