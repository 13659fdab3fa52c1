// Manifests on a real disk: lines longer than what is read at once, and lines that a power loss cut off.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <system_error>

#include "drawbridge/spool/spool.hpp"
#include "spool/temporary_folder.hpp"

namespace drawbridge::spool {
namespace {

using std::chrono::March;
using std::chrono::year;
using testing::ElementsAre;
using testing::Pair;

const std::string short_line = R"({"export":1})";
const std::string long_line = "{" + std::string(200'000, 'x') + "}";
const BusinessDate monday{year(2026) / March / 2}, tuesday{year(2026) / March / 3};

class ManifestsTest : public testing::Test {
  protected:
    [[nodiscard]] std::filesystem::path file(const std::string& day) const {
        return folder_.path() / "spool/manifests" / (day + ".jsonl");
    }
    [[nodiscard]] std::string content() const { return read_file(file("2026-03-02")); }
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> lines() const {
        std::vector<std::pair<std::string, std::string>> all;
        auto reader = spool_.manifest_lines();
        while (auto line = reader.next())
            all.emplace_back(std::move(line->place), std::move(line->text));
        return all;
    }

    TemporaryFolder folder_;
    Spool spool_{folder_.path()};
};

TEST_F(ManifestsTest, have_each_line_once_by_day) {
    spool_.add_manifest_line(tuesday, short_line + "3");
    for (int times = 0; times < 2; ++times) {
        spool_.add_manifest_line(monday, short_line);
        spool_.add_manifest_line(monday, long_line);
        spool_.add_manifest_line(monday, long_line + "2");
    }
    EXPECT_EQ(content(), short_line + "\n" + long_line + "\n" + long_line + "2\n");
    EXPECT_THAT(lines(),
                ElementsAre(Pair("2026-03-02.jsonl:1", short_line), Pair("2026-03-02.jsonl:2", long_line),
                            Pair("2026-03-02.jsonl:3", long_line + "2"), Pair("2026-03-03.jsonl:1", short_line + "3")));
}

TEST_F(ManifestsTest, have_a_line_once_although_the_time_zone_changed_the_day) {
    const BusinessDate wednesday{year(2026) / March / 4};
    spool_.add_manifest_line(tuesday, short_line);
    spool_.add_manifest_line(monday, short_line);
    spool_.add_manifest_line(wednesday, short_line);
    EXPECT_THAT(lines(), ElementsAre(Pair("2026-03-03.jsonl:1", short_line)));
}

TEST_F(ManifestsTest, lose_what_a_full_disk_cut_off) {
    spool_.add_manifest_line(monday, short_line);
    // The limit of the process's files stands for the full disk.
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit small{.rlim_cur = 100'000, .rlim_max = before.rlim_max};
    std::signal(SIGXFSZ, SIG_IGN);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    EXPECT_THROW(spool_.add_manifest_line(monday, long_line), std::system_error);
    EXPECT_THROW(spool_.add_manifest_line(monday, long_line, Spool::WrittenBefore::no), std::system_error);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    EXPECT_EQ(content(), short_line + "\n") << "another line may follow";
}

TEST_F(ManifestsTest, complete_a_line_wherever_it_was_cut_off) {
    for (const std::size_t left : {std::size_t{0}, std::size_t{1}, std::size_t{65'535 - 13}, std::size_t{65'536 - 13},
                                   std::size_t{65'537 - 13}, std::size_t{131'072}, long_line.size()}) {
        write_file(file("2026-03-02"), short_line + "\n" + long_line.substr(0, left));
        EXPECT_EQ(spool_.is_in_manifest(long_line), false) << left;
        spool_.add_manifest_line(monday, long_line);
        EXPECT_TRUE(content() == short_line + "\n" + long_line + "\n") << left;
        EXPECT_EQ(spool_.is_in_manifest(long_line), true) << left;
    }
}

TEST_F(ManifestsTest, keep_a_cut_off_line_that_is_another_as_a_broken_one) {
    write_file(file("2026-03-02"), long_line.substr(0, 100'000));
    spool_.add_manifest_line(monday, short_line);
    EXPECT_THAT(lines(), ElementsAre(Pair("2026-03-02.jsonl:1", long_line.substr(0, 100'000)),
                                     Pair("2026-03-02.jsonl:2", short_line)));
}

TEST_F(ManifestsTest, take_a_new_line_unread) {
    constexpr auto no = Spool::WrittenBefore::no;
    spool_.add_manifest_line(monday, short_line, no);
    spool_.add_manifest_line(monday, long_line, no);
    EXPECT_EQ(content(), short_line + "\n" + long_line + "\n");
    write_file(file("2026-03-02"), long_line.substr(0, 100'000));
    spool_.add_manifest_line(monday, short_line, no);
    EXPECT_EQ(content(), long_line.substr(0, 100'000) + "\n" + short_line + "\n");
    write_file(file("2026-03-02"), "");
    spool_.add_manifest_line(monday, short_line, no);
    EXPECT_EQ(content(), short_line + "\n");
}

TEST_F(ManifestsTest, know_only_whole_lines) {
    write_file(file("2026-03-02"), "more" + short_line + "\n" + short_line + "more\n" + short_line);
    EXPECT_FALSE(spool_.is_in_manifest(short_line));
    EXPECT_THAT(lines(),
                ElementsAre(Pair("2026-03-02.jsonl:1", "more" + short_line),
                            Pair("2026-03-02.jsonl:2", short_line + "more"), Pair("2026-03-02.jsonl:3", short_line)))
        << "a reader sees also what was cut off";
}

TEST_F(ManifestsTest, are_only_regular_files_that_are_named_by_day) {
    spool_.add_manifest_line(monday, short_line);
    std::filesystem::create_symlink(file("2026-03-02"), file("2026-03-01"));
    std::filesystem::create_directory(file("2026-03-03"));
    write_file(folder_.path() / "spool/manifests/notes.txt", long_line + "\n");
    write_file(file("2026-03-04"), "");
    EXPECT_THAT(lines(), ElementsAre(Pair("2026-03-02.jsonl:1", short_line)));
    EXPECT_FALSE(spool_.is_in_manifest(long_line));
}

}  // namespace
}  // namespace drawbridge::spool
