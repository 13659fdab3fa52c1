// The model of a disk itself: what must survive a power loss, and what may not.
#include "disk/disk_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "support/program.hpp"

namespace drawbridge::disk {
namespace {

namespace fs = std::filesystem;
using ::testing::AnyOf;

class DiskLogTest : public testing::Test {
  protected:
    DiskLogTest() {
        fs::create_directory(folder_);
        test::write_whole(folder_ / "old", "before");
    }

    // Runs a shell program in the folder, with the shim, and reads its log.
    DiskLog after(const std::string& shell) {
        DiskLog log(folder_);
        const std::string command = "cd '" + folder_.string() + "' && DRAWBRIDGE_DISK_FOLDER='" + folder_.string() +
                                    "' DRAWBRIDGE_DISK_LOG='" + log_.string() +
                                    "' LD_PRELOAD='" DRAWBRIDGE_DISK_SHIM "' sh -c '" + shell + "'";
        EXPECT_EQ(std::system(command.c_str()), 0) << command;
        log.read(log_);
        return log;
    }
    std::string content(const std::string& name) { return test::read_whole(folder_ / name); }

    test::TemporaryFolder root_;
    fs::path folder_ = fs::canonical(root_.path()) / "disk", log_ = root_.path() / "log";
    std::mt19937_64 random_{1};
};

TEST_F(DiskLogTest, what_was_never_synced_may_be_lost_with_its_name) {
    auto log = after("printf hello >new");
    log.lose_power(Loss::all, random_);
    EXPECT_FALSE(fs::exists(folder_ / "new"));
    EXPECT_EQ(content("old"), "before");
}

TEST_F(DiskLogTest, what_was_not_synced_may_survive_too) {
    auto log = after("printf hello >new; mv old renamed");
    log.lose_power(Loss::none, random_);
    EXPECT_EQ(content("new"), "hello");
    EXPECT_EQ(content("renamed"), "before");
    EXPECT_FALSE(fs::exists(folder_ / "old"));
}

TEST_F(DiskLogTest, synced_bytes_under_an_unsynced_name_are_lost) {
    auto log = after("printf hello >new; sync new");
    log.lose_power(Loss::all, random_);
    EXPECT_FALSE(fs::exists(folder_ / "new"));
}

TEST_F(DiskLogTest, a_synced_file_in_a_synced_folder_always_survives) {
    auto log = after("printf hello >new; sync new; mv new final; sync .; printf more >>final");
    for (const Loss loss : all_losses) {
        for (int i = 0; i < 20; ++i) {
            log.lose_power(loss, random_);
            EXPECT_THAT(content("final"), AnyOf("hello", "hellomore")) << log.calls();
            EXPECT_FALSE(fs::exists(folder_ / "new"));
        }
    }
}

TEST_F(DiskLogTest, a_file_keeps_its_inode) {
    struct stat before{}, later{};
    ASSERT_EQ(::stat((folder_ / "old").c_str(), &before), 0);
    auto log = after("printf hello >>old; mv old renamed");
    log.lose_power(Loss::all, random_);
    ASSERT_EQ(::stat((folder_ / "old").c_str(), &later), 0);
    EXPECT_EQ(before.st_ino, later.st_ino);
}

TEST_F(DiskLogTest, a_large_write_may_be_torn) {
    auto log = after("dd if=/dev/zero of=old bs=4096 count=1 conv=notrunc 2>/dev/null");
    bool was_torn = false;
    for (int i = 0; i < 50; ++i) {
        log.lose_power(Loss::anywhere, random_);
        const auto size = content("old").size();
        was_torn = was_torn || (size % 512 == 0 && size > 0 && size < 4096);
    }
    EXPECT_TRUE(was_torn);
}

}  // namespace
}  // namespace drawbridge::disk
