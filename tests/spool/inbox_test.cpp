#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <system_error>

#include "drawbridge/domain/digest.hpp"
#include "drawbridge/spool/spool.hpp"
#include "spool/temporary_folder.hpp"

namespace drawbridge::spool {
namespace {

using namespace std::chrono_literals;
using Names = std::set<std::string>;

constexpr BusinessDate day = 2026y / 3 / 4;

void set_modified(const std::filesystem::path& path, Instant when) {
    const auto millis = when.time_since_epoch().count();
    const timespec times[2] = {{millis / 1000, millis % 1000 * 1'000'000}, {millis / 1000, millis % 1000 * 1'000'000}};
    ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, AT_SYMLINK_NOFOLLOW), 0);
}

class InboxTest : public testing::Test {
  protected:
    // Drops a file that was last changed a minute ago.
    void drop(const std::string& name, std::string_view bytes = "confirmations") {
        write_file(inbox_ / name, bytes);
        set_modified(inbox_ / name, now_ - 1min);
    }
    ClaimedFile drop_and_claim(const std::string& name, std::string_view bytes = "confirmations") {
        drop(name, bytes);
        return spool_.claim(name, now_).value();
    }
    // The bytes of a claimed file.
    std::string text_of(const ClaimedFile& file, const Spool& spool) {
        const auto snapshot = spool.open_snapshot(file, 1'000'000);
        return snapshot ? std::string(snapshot->bytes()) : snapshot.error().message;
    }
    std::string text_of(const ClaimedFile& file) { return text_of(file, spool_); }
    Result<std::filesystem::path> archive(const ClaimedFile& file) {
        const auto snapshot = spool_.open_snapshot(file, 1'000'000);
        if (!snapshot) return std::unexpected(snapshot.error());
        return spool_.archive(file, *snapshot, day);
    }
    // Each ready file, and each other file with its reason.
    std::set<std::string> scan(std::chrono::milliseconds quiet_period = 10s) {
        std::set<std::string> shown;
        const InboxScan found = spool_.scan_inbox(quiet_period, now_);
        for (const ReadyFile& file : found.ready)
            shown.insert("ready " + file.name + " " + std::to_string(file.size));
        for (const UnreadyFile& file : found.waiting)
            shown.insert("waiting " + file.name + ": " + file.reason);
        for (const UnreadyFile& file : found.refused)
            shown.insert("refused " + file.name + ": " + file.reason);
        return shown;
    }

    TemporaryFolder folder_;
    std::filesystem::path state_ = folder_.path() / "state";
    Spool spool_{state_};
    std::filesystem::path inbox_ = state_ / "inbox";
    std::filesystem::path claimed_ = state_ / "spool/claimed";
    Instant now_ = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
};

TEST_F(InboxTest, scan_finds_complete_files_and_says_why_others_wait) {
    drop("b.csv");
    drop("A b\n\xC3\xA9.csv", "12");
    drop("empty.csv", "");
    for (const std::string name : {".hidden.csv", "a.part", "a.TMP", "a.filepart", "a.csv.crdownload"})
        drop(name);
    drop("new.csv");
    set_modified(inbox_ / "new.csv", now_ - 9999ms);
    drop("settled.csv");
    set_modified(inbox_ / "settled.csv", now_ - 10s);
    EXPECT_EQ(scan(), (Names{"ready A b\n\xC3\xA9.csv 2", "ready b.csv 13", "ready empty.csv 0", "ready settled.csv 13",
                             "waiting .hidden.csv: its name begins with a dot",
                             "waiting a.TMP: its name marks it as incomplete",
                             "waiting a.csv.crdownload: its name marks it as incomplete",
                             "waiting a.filepart: its name marks it as incomplete",
                             "waiting a.part: its name marks it as incomplete", "waiting new.csv: still changing"}));
}

TEST_F(InboxTest, anything_but_a_regular_file_stays_in_the_inbox) {
    std::filesystem::create_directory(inbox_ / "folder");
    write_file(folder_.path() / "elsewhere.csv", "x");
    std::filesystem::create_symlink(folder_.path() / "elsewhere.csv", inbox_ / "link.csv");
    std::filesystem::create_symlink("nowhere", inbox_ / "dangling.csv");
    ASSERT_EQ(::mkfifo((inbox_ / "pipe.csv").c_str(), 0600), 0);
    const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
    ASSERT_GE(socket, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    (inbox_ / "socket.csv").string().copy(address.sun_path, sizeof address.sun_path - 1);
    ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    ::close(socket);
    EXPECT_EQ(scan(0s), (Names{"refused dangling.csv: a symbolic link; drop the file itself",
                               "refused folder: a folder; drop the files themselves",
                               "refused link.csv: a symbolic link; drop the file itself", "refused pipe.csv: a pipe",
                               "refused socket.csv: a socket"}));
    EXPECT_EQ(names_in(inbox_).size(), 5U);
}

TEST_F(InboxTest, an_unreadable_file_is_refused) {
    drop("open.csv");
    drop("secret.csv");
    using std::filesystem::perms;
    std::filesystem::permissions(inbox_ / "open.csv", perms::owner_read | perms::group_read | perms::others_read);
    std::filesystem::permissions(inbox_ / "secret.csv", perms::none);
    std::filesystem::permissions(inbox_, perms::all);
    // Root may read everything, so scan as another user.
    const uid_t me = ::geteuid();
    constexpr uid_t nobody = 65534;
    ASSERT_EQ(me == 0 ? ::seteuid(nobody) : 0, 0);
    const auto found = scan();
    ASSERT_EQ(me == 0 ? ::seteuid(me) : 0, 0);
    EXPECT_EQ(found,
              (Names{"ready open.csv 13", "refused secret.csv: not readable for Drawbridge; change its permissions"}));
}

TEST_F(InboxTest, a_file_dated_in_the_future_is_judged_by_its_change_time) {
    drop("tomorrow.csv");
    set_modified(inbox_ / "tomorrow.csv", now_ + 24h);
    EXPECT_EQ(scan(), Names{"waiting tomorrow.csv: still changing"});
    now_ += 1h;
    EXPECT_EQ(scan(), Names{"ready tomorrow.csv 13"});
}

TEST_F(InboxTest, a_claimed_file_gets_a_unique_name) {
    const Instant then = parse_instant("2026-03-04T05:06:07.089Z").value();
    drop("a.csv", "one");
    const auto first = spool_.claim("a.csv", then);
    ASSERT_TRUE(first);
    EXPECT_EQ(*first, (ClaimedFile{"20260304T050607089Z-000001-a.csv", "a.csv", "", ::geteuid()}));
    EXPECT_EQ(names_in(inbox_), Names{});
    drop("a.csv", "two");
    const auto second = spool_.claim("a.csv", then);
    ASSERT_TRUE(second);
    EXPECT_EQ(text_of(*first), "one");
    EXPECT_EQ(text_of(*second), "two");
}

TEST_F(InboxTest, a_claim_records_the_owner) {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can change a file's owner";
    drop("a.csv");
    ASSERT_EQ(::chown((inbox_ / "a.csv").c_str(), 5001, 5001), 0);
    const auto file = spool_.claim("a.csv", now_).value();
    EXPECT_EQ(file.owner_uid, 5001);
    EXPECT_EQ(spool_.claimed().front().owner_uid, 5001) << "found again after a crash";
}

TEST_F(InboxTest, a_file_that_others_may_have_written_belongs_to_nobody_in_particular) {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can change a file's owner";
    for (const mode_t mode : {0664U, 0642U, 0660U, 0606U}) {
        drop("a.csv");
        ASSERT_EQ(::chown((inbox_ / "a.csv").c_str(), 5001, 5001), 0);
        ASSERT_EQ(::chmod((inbox_ / "a.csv").c_str(), mode), 0);
        EXPECT_EQ(spool_.read_inbox("a.csv", 1000).value().owner_uid, 0) << std::oct << mode;
        EXPECT_EQ(spool_.claim("a.csv", now_).value().owner_uid, 0) << std::oct << mode;
    }
    drop("b.csv");
    ASSERT_EQ(::chown((inbox_ / "b.csv").c_str(), 5001, 5001), 0);
    std::filesystem::create_hard_link(inbox_ / "b.csv", inbox_ / "c.csv");
    EXPECT_EQ(spool_.claim("b.csv", now_).value().owner_uid, 0) << "it has another name";
}

TEST_F(InboxTest, a_claim_never_replaces_a_file_of_an_earlier_run) {
    drop("a.csv", "one");
    ASSERT_TRUE(spool_.claim("a.csv", now_));
    Spool restarted(state_);  // its counter starts over, and the clock may be set back
    drop("a.csv", "two");
    ASSERT_TRUE(restarted.claim("a.csv", now_));
    const auto claimed = restarted.claimed();
    ASSERT_EQ(claimed.size(), 2U);
    EXPECT_EQ(text_of(claimed[0], restarted), "one");
    EXPECT_EQ(text_of(claimed[1], restarted), "two");
}

TEST_F(InboxTest, a_claim_reports_a_missing_file_and_refuses_paths) {
    EXPECT_EQ(spool_.claim("gone.csv", now_).error().code, ErrorCode::not_found);
    write_file(state_ / "outside.csv", "x");
    for (const std::string_view name : {"../outside.csv", "", ".", "..", "a/b"})
        EXPECT_EQ(spool_.claim(name, now_).error().code, ErrorCode::invalid_input) << name;
    EXPECT_TRUE(std::filesystem::exists(state_ / "outside.csv"));
}

TEST_F(InboxTest, claimed_lists_what_a_crash_left_with_original_names) {
    const std::string odd = "20260101T000000000Z-000001-odd\n\xFF name.csv";
    const auto first = drop_and_claim("a.csv");
    const auto second = drop_and_claim(odd);
    EXPECT_EQ(Spool(state_).claimed(), (std::vector{first, second}));
    EXPECT_EQ(second.original_name, odd);
}

TEST_F(InboxTest, names_of_255_bytes_are_claimed_and_archived) {
    std::string name = "\xC3\xA9";
    for (int i = 0; i < 124; ++i)
        name += "\xC3\xA9";
    name += "x.csv";
    ASSERT_EQ(name.size(), 255U);
    const auto file = drop_and_claim(name);
    EXPECT_EQ(file.original_name, name);
    const auto left = spool_.claimed();
    ASSERT_EQ(left.size(), 1U);
    EXPECT_TRUE(left[0].original_name.ends_with("\xC3\xA9.csv"));
    const auto archived = archive(file);
    ASSERT_TRUE(archived);
    EXPECT_EQ(read_file(state_ / *archived), "confirmations");
    const auto again = drop_and_claim(name);
    const auto refused = spool_.quarantine(again, "", "bad");
    ASSERT_TRUE(refused);
    EXPECT_EQ(read_file(state_ / *refused), "confirmations");
}

TEST_F(InboxTest, a_snapshot_has_the_bytes_of_a_claimed_file_up_to_a_limit) {
    const std::string bytes(200'000, 'x');
    const auto file = drop_and_claim("a.csv", bytes);
    const auto snapshot = spool_.open_snapshot(file, 200'000);
    ASSERT_TRUE(snapshot) << snapshot.error().message;
    EXPECT_EQ(snapshot->bytes(), bytes);
    EXPECT_EQ(snapshot->sha256(), sha256_hex(bytes));
    const auto large = spool_.open_snapshot(file, 199'999);
    EXPECT_EQ(large.error().code, ErrorCode::invalid_input);
    EXPECT_NE(large.error().message.find("has more than 199999 bytes (confirmations.max_file_bytes)"),
              std::string::npos);
    EXPECT_EQ(spool_.open_snapshot(drop_and_claim("empty.csv", ""), 10)->bytes(), "");
    EXPECT_EQ(spool_.open_snapshot({"absent", "absent"}, 10).error().code, ErrorCode::not_found);
    std::filesystem::create_symlink("/etc/passwd", claimed_ / "link");
    EXPECT_EQ(spool_.open_snapshot({"link", "link"}, 10'000).error().code, ErrorCode::invalid_input);
    ASSERT_EQ(::mkfifo((claimed_ / "pipe").c_str(), 0600), 0);
    EXPECT_EQ(spool_.open_snapshot({"pipe", "pipe"}, 10'000).error().code, ErrorCode::invalid_input);
    std::filesystem::create_directory(claimed_ / "folder");
    EXPECT_EQ(spool_.open_snapshot({"folder", "folder"}, 10'000).error().code, ErrorCode::invalid_input);
}

TEST_F(InboxTest, a_snapshot_does_not_change_with_the_file) {
    const auto file = drop_and_claim("a.csv", "confirmations");
    const auto snapshot = spool_.open_snapshot(file, 100);
    ASSERT_TRUE(snapshot);
    std::filesystem::resize_file(claimed_ / file.name, 0);
    snapshot->drop_pages();
    EXPECT_EQ(snapshot->bytes(), "confirmations");
    EXPECT_EQ(names_in(claimed_), Names{file.name}) << "the copy has no name";
}

TEST_F(InboxTest, a_file_with_a_hard_link_is_replaced_by_an_own_copy) {
    drop("a.csv", "confirmations");
    std::filesystem::create_hard_link(inbox_ / "a.csv", folder_.path() / "finance's own link.csv");
    const auto file = spool_.claim("a.csv", now_).value();
    ASSERT_EQ(text_of(file), "confirmations");
    std::ofstream(folder_.path() / "finance's own link.csv") << "changed";
    EXPECT_EQ(read_file(claimed_ / file.name), "confirmations");
    EXPECT_EQ(names_in(claimed_), Names{file.name});
    const auto archived = archive(file);
    ASSERT_TRUE(archived);
    EXPECT_EQ(read_file(state_ / *archived), "confirmations");
}

TEST_F(InboxTest, a_file_of_another_owner_is_replaced_by_an_own_copy) {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can change a file's owner";
    const auto file = drop_and_claim("a.csv");
    constexpr uid_t other_user = 65534;
    ASSERT_EQ(::chown((claimed_ / file.name).c_str(), other_user, static_cast<gid_t>(-1)), 0);
    const auto archived = archive(file);
    ASSERT_TRUE(archived);
    struct stat status{};
    ASSERT_EQ(::stat((state_ / *archived).c_str(), &status), 0);
    EXPECT_EQ(status.st_uid, ::geteuid()) << "the owner could change it in the archive";
    EXPECT_EQ(status.st_mode & 07777U, 0640U);
    EXPECT_EQ(read_file(state_ / *archived), "confirmations");
}

TEST_F(InboxTest, a_file_is_archived_by_date_and_hash) {
    const auto file = drop_and_claim("bank of\n x.csv");
    const auto snapshot = spool_.open_snapshot(file, 100);
    ASSERT_TRUE(snapshot);
    const auto archived = spool_.archive(file, *snapshot, day);
    ASSERT_TRUE(archived);
    EXPECT_EQ(*archived, "spool/archive/2026/03/04/" + sha256_hex("confirmations").substr(0, 12) + "-bank of_ x.csv");
    EXPECT_EQ(read_file(state_ / *archived), "confirmations");
    EXPECT_EQ(names_in(claimed_), Names{});
    EXPECT_EQ(spool_.archive(file, *snapshot, day).error().code, ErrorCode::not_found);
}

TEST_F(InboxTest, the_archive_keeps_one_copy_of_equal_bytes_and_both_of_different_ones) {
    const auto first = archive(drop_and_claim("a.csv"));
    const auto second = archive(drop_and_claim("a.csv"));
    EXPECT_EQ(first, second);
    EXPECT_EQ(names_in(claimed_), Names{});
    // Different content under the name that the hash gives.
    write_file(state_ / *first, "damaged");
    const auto third = archive(drop_and_claim("a.csv"));
    ASSERT_TRUE(third);
    EXPECT_NE(*third, *first);
    EXPECT_EQ(read_file(state_ / *first), "damaged");
    EXPECT_EQ(read_file(state_ / *third), "confirmations");
}

TEST_F(InboxTest, a_file_changed_after_reading_is_archived_as_read_and_stays_claimed) {
    const auto file = drop_and_claim("a.csv");
    const auto snapshot = spool_.open_snapshot(file, 100);
    ASSERT_TRUE(snapshot);
    std::ofstream(claimed_ / file.name, std::ios::app) << "one more line";
    const auto archived = spool_.archive(file, *snapshot, day);
    EXPECT_EQ(archived.error().code, ErrorCode::conflict);
    const auto read = state_ / "spool/archive/2026/03/04" / (sha256_hex("confirmations").substr(0, 12) + "-a.csv");
    EXPECT_EQ(read_file(read), "confirmations");
    EXPECT_EQ(spool_.claimed(), std::vector{file});
    EXPECT_EQ(text_of(file), "confirmationsone more line");
}

TEST_F(InboxTest, a_quarantined_file_has_a_name_that_everybody_reads_alike) {
    drop("a\u001b[2J\u202egpj.\u200bcsv", "bytes");
    const auto file = spool_.claim("a\u001b[2J\u202egpj.\u200bcsv", parse_instant("2026-03-04T05:06:07.089Z").value());
    ASSERT_TRUE(file);
    EXPECT_EQ(*spool_.quarantine(*file, "abc", "bad"), "quarantine/20260304T050607089Z-000001-a_[2J_gpj._csv");
}

TEST_F(InboxTest, a_quarantined_file_is_beside_its_report) {
    const Instant then = parse_instant("2026-03-04T05:06:07.089Z").value();
    drop("bad.csv", "bytes\r\n\xFF");
    const auto file = spool_.claim("bad.csv", then);
    ASSERT_TRUE(file);
    const auto moved = spool_.quarantine(*file, "abc", "bad.csv:2:1: bad");
    ASSERT_TRUE(moved);
    EXPECT_EQ(*moved, "quarantine/20260304T050607089Z-000001-bad.csv");
    EXPECT_EQ(read_file(state_ / *moved), "bytes\r\n\xFF");
    EXPECT_EQ(read_file(state_ / (moved->string() + ".report.txt")), "bad.csv:2:1: bad\nSHA-256 of the file: abc\n");
    EXPECT_EQ(names_in(state_ / "quarantine").size(), 2U);
    EXPECT_EQ(names_in(claimed_), Names{});
    EXPECT_EQ(spool_.quarantine(*file, "abc", "x").error().code, ErrorCode::not_found);
}

// Reading this one would take hours.
TEST_F(InboxTest, a_huge_file_is_quarantined_without_reading_it) {
    constexpr std::uintmax_t terabytes = 8ULL << 40U;
    const auto file = drop_and_claim("big.csv");
    std::filesystem::resize_file(claimed_ / file.name, terabytes);
    EXPECT_EQ(spool_.open_snapshot(file, 1'000'000).error().code, ErrorCode::invalid_input);
    const auto moved = spool_.quarantine(file, "", "it has too many bytes");
    ASSERT_TRUE(moved);
    EXPECT_EQ(std::filesystem::file_size(state_ / *moved), terabytes);
}

TEST_F(InboxTest, quarantined_files_of_one_name_stay_separate) {
    const Instant then = parse_instant("2026-03-04T05:06:07.089Z").value();
    drop("bad.csv", "one");
    const auto first = spool_.quarantine(spool_.claim("bad.csv", then).value(), "", "first");
    Spool restarted(state_);
    drop("bad.csv", "two");
    const auto second = restarted.quarantine(restarted.claim("bad.csv", then).value(), "", "second");
    ASSERT_TRUE(first);
    ASSERT_TRUE(second);
    EXPECT_EQ(read_file(state_ / *first), "one");
    EXPECT_EQ(read_file(state_ / *second), "two");
    EXPECT_EQ(read_file(state_ / (first->string() + ".report.txt")), "first\n");
    EXPECT_EQ(read_file(state_ / (second->string() + ".report.txt")), "second\n");
}

TEST_F(InboxTest, claiming_many_files_returns_one_result_each) {
    drop("a.csv", "one");
    drop("c.csv", "three");
    const auto files = spool_.claim(std::vector<std::string>{"a.csv", "b.csv", "c.csv"}, now_, 1000);
    ASSERT_EQ(files.size(), 3U);
    EXPECT_EQ(text_of(files[0].value()), "one");
    EXPECT_EQ(files[1].error().code, ErrorCode::not_found);
    EXPECT_EQ(text_of(files[2].value()), "three");
}

TEST_F(InboxTest, an_upload_in_pieces_is_claimed_like_a_dropped_file) {
    const std::string id = spool_.begin_upload(7001, now_);
    EXPECT_TRUE(spool_.append_upload(id, 0, "confir"));
    EXPECT_EQ(spool_.append_upload(id, 0, "again").error().code, ErrorCode::conflict);
    EXPECT_TRUE(spool_.append_upload(id, 6, "mations"));
    EXPECT_EQ(spool_.open_upload_snapshot(id, 100)->bytes(), "confirmations");
    EXPECT_EQ(spool_.open_upload_snapshot(id, 5).error().code, ErrorCode::invalid_input);
    EXPECT_EQ(spool_.claim_upload(id, "../a.csv", "", now_).error().code, ErrorCode::invalid_input);
    const auto file = spool_.claim_upload(id, "a.csv", "bank", now_);
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(Spool(state_).claimed(), std::vector{*file}) << "with its profile, also after a crash";
    EXPECT_EQ(text_of(*file), "confirmations");
    ASSERT_TRUE(archive(*file));
    EXPECT_EQ(names_in(claimed_), Names{});
    for (const std::string& none : {id, std::string("../inbox/a.csv"), std::string()}) {
        EXPECT_FALSE(spool_.append_upload(none, 0, "x")) << none;
        EXPECT_FALSE(spool_.claim_upload(none, "a.csv", "", now_)) << none;
    }
}

TEST_F(InboxTest, an_upload_belongs_to_the_person_who_began_it) {
    const std::string id = spool_.begin_upload(7001, now_);
    EXPECT_TRUE(Spool::is_upload_of(7001, id));
    EXPECT_FALSE(Spool::is_upload_of(1, id));
    EXPECT_FALSE(Spool::is_upload_of(7002, id));
    EXPECT_FALSE(spool_.append_upload(id.substr(0, id.rfind('-')) + "-7002", 0, "x"));
    EXPECT_FALSE(Spool::is_upload_of(7001, "../" + id));
}

TEST_F(InboxTest, the_uploads_of_an_owner_are_listed_oldest_first) {
    const std::string second = spool_.begin_upload(7001, now_);
    const std::string first = spool_.begin_upload(7001, now_ - 1h);
    const std::string of_another = spool_.begin_upload(17001, now_);
    EXPECT_EQ(spool_.uploads_of(7001), (std::vector{first, second}));
    EXPECT_EQ(spool_.uploads_of(17001), std::vector{of_another});
    EXPECT_TRUE(spool_.uploads_of(1).empty());
}

TEST_F(InboxTest, abandoned_uploads_are_dropped) {
    const std::string old = spool_.begin_upload(7001, now_);
    set_modified(state_ / "spool/uploads" / old, now_ - 25h);
    const std::string fresh = spool_.begin_upload(7001, now_);
    spool_.drop_uploads_before(now_ - 24h);
    EXPECT_EQ(names_in(state_ / "spool/uploads"), Names{fresh});
    spool_.drop_upload(fresh);
    EXPECT_EQ(names_in(state_ / "spool/uploads"), Names{});
}

TEST_F(InboxTest, a_claim_from_a_read_only_inbox_is_an_error) {
    drop("a.csv");
    using std::filesystem::perms;
    std::filesystem::permissions(inbox_, perms::owner_read | perms::owner_exec | perms::group_read | perms::group_exec |
                                             perms::others_read | perms::others_exec);
    const uid_t me = ::geteuid();
    constexpr uid_t nobody = 65534;
    ASSERT_EQ(me == 0 ? ::seteuid(nobody) : 0, 0);
    const auto file = spool_.claim("a.csv", now_);
    const auto found = scan();
    ASSERT_EQ(me == 0 ? ::seteuid(me) : 0, 0);
    EXPECT_EQ(found, Names{"refused a.csv: Permission denied: the inbox is not writable for Drawbridge; change its "
                           "permissions"});
    EXPECT_EQ(file.error().code, ErrorCode::unavailable);
    EXPECT_EQ(file.error().message,
              "inbox file 'a.csv' cannot be claimed: Permission denied: make the inbox writable for Drawbridge");
    EXPECT_EQ(names_in(inbox_), Names{"a.csv"});
}

TEST_F(InboxTest, an_unreadable_file_can_be_quarantined) {
    const auto file = drop_and_claim("a.csv");
    std::filesystem::permissions(claimed_ / file.name, std::filesystem::perms::none);
    const auto moved = spool_.quarantine(file, "", "cannot be read");
    ASSERT_TRUE(moved) << moved.error().message;
    std::filesystem::permissions(state_ / *moved, std::filesystem::perms::owner_read);
    EXPECT_EQ(read_file(state_ / *moved), "confirmations");
}

TEST_F(InboxTest, an_inbox_on_another_file_system_is_claimed_by_copy) {
    struct stat here{};
    struct stat there{};
    if (::stat("/dev/shm", &there) != 0 || ::stat(state_.c_str(), &here) != 0 || here.st_dev == there.st_dev ||
        ::access("/dev/shm", W_OK) != 0) {
        GTEST_SKIP() << "no second file system to test with";
    }
    const TemporaryFolder share("/dev/shm");
    std::filesystem::remove(inbox_);
    std::filesystem::create_directory_symlink(share.path(), inbox_);
    Spool spool(state_);
    const std::string bytes(200'000, 'x');
    drop("a.csv", bytes);
    const auto file = spool.claim("a.csv", now_);
    ASSERT_TRUE(file) << file.error().message;
    const auto snapshot = spool.open_snapshot(*file, 200'000);
    ASSERT_TRUE(snapshot);
    EXPECT_EQ(snapshot->bytes(), bytes);
    EXPECT_EQ(names_in(share.path()), Names{});
    drop("large.csv", bytes);
    const auto large = spool.claim(std::vector<std::string>{"large.csv"}, now_, 100'000).front();
    ASSERT_FALSE(large);
    EXPECT_THAT(large.error().message, testing::HasSubstr("it has more than 100000 bytes"));
    EXPECT_EQ(names_in(share.path()), Names{"large.csv"});
    EXPECT_EQ(names_in(claimed_), Names{file->name});
    EXPECT_TRUE(spool.archive(*file, *snapshot, day));
}

TEST_F(InboxTest, a_quarantine_on_another_file_system_is_filled_by_copy) {
    struct stat here{};
    struct stat there{};
    if (::stat("/dev/shm", &there) != 0 || ::stat(state_.c_str(), &here) != 0 || here.st_dev == there.st_dev ||
        ::access("/dev/shm", W_OK) != 0) {
        GTEST_SKIP() << "no second file system to test with";
    }
    const TemporaryFolder share("/dev/shm");
    std::filesystem::remove(state_ / "quarantine");
    std::filesystem::create_directory_symlink(share.path(), state_ / "quarantine");
    Spool spool(state_);
    drop("a.csv");
    const auto moved = spool.quarantine(spool.claim("a.csv", now_).value(), "abc", "bad");
    ASSERT_TRUE(moved) << moved.error().message;
    EXPECT_EQ(read_file(state_ / *moved), "confirmations");
    EXPECT_EQ(names_in(share.path()).size(), 2U);
    EXPECT_EQ(names_in(claimed_), Names{});
}

}  // namespace
}  // namespace drawbridge::spool
