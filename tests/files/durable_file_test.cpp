// Files that appear complete or not at all.
#include "drawbridge/files/durable_file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <functional>
#include <iterator>
#include <set>
#include <system_error>

#include "support/temporary_folder.hpp"

namespace drawbridge::files {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;

class DurableFile : public ::testing::Test {
  protected:
    [[nodiscard]] fs::path path(const char* name) const { return folder_.path() / name; }
    [[nodiscard]] std::set<std::string> names() const {
        std::set<std::string> names;
        for (const auto& entry : fs::directory_iterator(folder_.path()))
            names.insert(entry.path().filename());
        return names;
    }
    static std::string content_of(const fs::path& path) {
        std::ifstream in(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    static mode_t mode_of(const fs::path& path) {
        struct stat status{};
        return ::stat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
    }
    static std::error_code error_of(const std::function<void()>& act) {
        try {
            act();
        } catch (const std::system_error& error) {
            return error.code();
        }
        return {};
    }

    test::TemporaryFolder folder_;
};

TEST_F(DurableFile, is_created_with_its_mode_whatever_the_umask) {
    const auto before = ::umask(077);
    create_durably(path("key"), "secret\n", 0644);
    ::umask(before);
    EXPECT_EQ(content_of(path("key")), "secret\n");
    EXPECT_EQ(mode_of(path("key")), 0644U);
    EXPECT_THAT(names(), ElementsAre("key"));
}

TEST_F(DurableFile, is_never_overwritten_by_creating_it) {
    create_durably(path("key"), "first", 0600);
    EXPECT_EQ(error_of([&] { create_durably(path("key"), "second", 0600); }), std::errc::file_exists);
    fs::create_symlink("nowhere", path("link"));
    EXPECT_EQ(error_of([&] { create_durably(path("link"), "second", 0600); }), std::errc::file_exists);
    EXPECT_EQ(content_of(path("key")), "first");
    EXPECT_THAT(names(), ElementsAre("key", "link"));
}

TEST_F(DurableFile, is_replaced_whole_and_beside_a_leftover) {
    create_durably(path("mark"), "old", 0600);
    create_durably(path("mark.tmp"), "left by a crash", 0600);
    replace_durably(path("mark"), "new", 0640);
    EXPECT_EQ(content_of(path("mark")), "new");
    EXPECT_EQ(mode_of(path("mark")), 0640U);
    EXPECT_THAT(names(), ElementsAre("mark"));
}

TEST_F(DurableFile, stays_as_it_was_where_it_cannot_be_replaced) {
    fs::create_directory(path("mark"));
    EXPECT_EQ(error_of([&] { replace_durably(path("mark"), "new", 0640); }), std::errc::is_a_directory);
    EXPECT_THAT(names(), ElementsAre("mark"));
    EXPECT_EQ(error_of([&] { replace_durably(path("absent") / "mark", "new", 0640); }),
              std::errc::no_such_file_or_directory);
}

TEST_F(DurableFile, copies_from_the_open_file) {
    create_durably(path("backup"), std::string(1 << 20, 'x'), 0600);
    const auto from = open_file(path("backup"), O_RDONLY);
    fs::remove(path("backup"));
    create_durably(path("copy"), "older", 0644);
    copy_durably(from, path("backup"), path("copy"));
    EXPECT_EQ(digest_of(path("copy")).size_bytes, 1 << 20);
    EXPECT_EQ(mode_of(path("copy")), 0600U);
}

TEST_F(DurableFile, errors_name_the_act_and_the_file) {
    try {
        sync_file(path("absent"));
        FAIL() << "no error";
    } catch (const std::system_error& error) {
        EXPECT_EQ(std::string(error.what()), "cannot open " + path("absent").string() + ": No such file or directory");
    }
}

TEST_F(DurableFile, a_plain_name_is_in_the_current_folder) {
    EXPECT_EQ(folder_of("key"), ".");
    EXPECT_EQ(folder_of("/etc/key"), "/etc");
}

}  // namespace
}  // namespace drawbridge::files
