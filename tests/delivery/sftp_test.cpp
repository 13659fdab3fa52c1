// The session against a real OpenSSH server, over a line that breaks where it hurts.
#include "drawbridge/delivery/sftp.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "delivery/sftp_server.hpp"
#include "drawbridge/domain/digest.hpp"
#include "support/temporary_folder.hpp"

namespace drawbridge::delivery {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Sftp : public testing::Test {
  protected:
    Sftp() : server_(folder_.path() / "bank"), line_(server_.port()) {
        write("small", "101 094000001 …\n");
        write("large", std::string(700'000, 'x') + "end");
    }

    void write(const std::string& name, const std::string& bytes) {
        std::ofstream(local(name), std::ios::binary) << bytes;
    }
    [[nodiscard]] std::filesystem::path local(const std::string& name) const { return folder_.path() / name; }

    [[nodiscard]] SftpOptions options() const {
        SftpOptions options;
        options.host = "127.0.0.1";
        options.port = line_.port();
        options.user = server_.user();
        options.private_key = Secret(e2e::read_file(server_.client_key()));
        options.host_key = server_.host_key();
        options.folder = server_.inbox();
        return options;
    }
    static ErrorCode code_of(const Result<void>& result) { return result ? ErrorCode::cancelled : result.error().code; }

    test::TemporaryFolder folder_;
    test::SftpServer server_;
    test::Line line_;
};

TEST_F(Sftp, carries_a_file_and_gives_it_its_name) {
    SftpSession session(options());
    ASSERT_TRUE(session.open());
    const auto uploaded = session.upload(local("large"), "large.part");
    ASSERT_TRUE(uploaded) << uploaded.error().message;
    EXPECT_EQ(uploaded->size, 700'003U);
    EXPECT_EQ(session.sha256("large.part").value(), uploaded->sha256);
    EXPECT_EQ(session.status("large.part").value()->size, 700'003U);
    EXPECT_FALSE(session.status("large.ach").value().has_value());
    ASSERT_TRUE(session.rename("large.part", "large.ach"));
    EXPECT_THAT(server_.names(), ElementsAre("large.ach"));
    EXPECT_EQ(server_.content("large.ach"), e2e::read_file(local("large")));
    EXPECT_EQ(session.list_names().value().size(), 1U);
    EXPECT_TRUE(session.remove("large.ach"));
    EXPECT_TRUE(session.remove("large.ach")) << "it is gone already";
    EXPECT_THAT(server_.names(), IsEmpty());
}

TEST_F(Sftp, never_writes_over_a_file) {
    SftpSession session(options());
    ASSERT_TRUE(session.open());
    ASSERT_TRUE(session.upload(local("small"), "a"));
    ASSERT_TRUE(session.upload(local("large"), "b"));
    const auto again = session.upload(local("large"), "a");
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().code, ErrorCode::conflict);
    EXPECT_EQ(code_of(session.rename("b", "a")), ErrorCode::conflict);
    EXPECT_TRUE(session.alive());
    EXPECT_EQ(server_.content("a"), e2e::read_file(local("small")));
    EXPECT_THAT(server_.names(), ElementsAre("a", "b"));
}

TEST_F(Sftp, refuses_a_server_with_another_host_key) {
    test::make_ssh_key(folder_.path() / "other");
    auto pinned = options();
    pinned.host_key = test::public_key(folder_.path() / "other");
    SftpSession session(pinned);
    const auto opened = session.open();
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::protocol);
    EXPECT_THAT(opened.error().message, HasSubstr("SHA256:"));
    EXPECT_THAT(opened.error().message, HasSubstr("nothing was sent"));
}

TEST_F(Sftp, takes_the_host_key_from_a_known_hosts_file_and_never_on_first_use) {
    auto known = options();
    known.host_key.clear();
    known.known_hosts_file = folder_.path() / "known_hosts";
    const std::string host = "[127.0.0.1]:" + std::to_string(line_.port());
    std::ofstream(known.known_hosts_file) << "[127.0.0.1]:1 " << server_.host_key() << "\n";
    {
        SftpSession session(known);
        EXPECT_EQ(code_of(session.open()), ErrorCode::protocol);
    }
    test::make_ssh_key(folder_.path() / "other");
    std::ofstream(known.known_hosts_file) << host << " " << test::public_key(folder_.path() / "other") << "\n";
    {
        SftpSession session(known);
        EXPECT_EQ(code_of(session.open()), ErrorCode::protocol);
    }
    std::ofstream(known.known_hosts_file) << host << " " << server_.host_key() << "\n";
    SftpSession session(known);
    const auto opened = session.open();
    EXPECT_TRUE(opened) << opened.error().message;
}

TEST_F(Sftp, says_that_the_server_does_not_take_the_key) {
    test::make_ssh_key(folder_.path() / "other");
    auto wrong = options();
    wrong.private_key = Secret(e2e::read_file(folder_.path() / "other"));
    SftpSession session(wrong);
    EXPECT_EQ(code_of(session.open()), ErrorCode::unauthorized);
}

TEST_F(Sftp, checks_keys_before_a_server_is_asked) {
    EXPECT_TRUE(check_keys(options()));
    auto wrong = options();
    wrong.private_key = Secret("no key");
    EXPECT_EQ(code_of(check_keys(wrong)), ErrorCode::invalid_input);
    wrong = options();
    wrong.host_key = "ssh-ed25519 AAAA";
    EXPECT_EQ(code_of(check_keys(wrong)), ErrorCode::invalid_input);
    wrong = options();
    wrong.host_key.clear();
    wrong.known_hosts_file = folder_.path() / "absent";
    EXPECT_EQ(code_of(check_keys(wrong)), ErrorCode::invalid_input);
}

TEST_F(Sftp, says_that_nobody_listens) {
    server_.stop();
    auto direct = options();
    direct.port = server_.port();
    SftpSession session(direct);
    EXPECT_EQ(code_of(session.open()), ErrorCode::unavailable);
}

TEST_F(Sftp, gives_up_on_a_server_that_falls_silent) {
    auto hasty = options();
    hasty.timeout = std::chrono::milliseconds(300);
    SftpSession session(hasty);
    ASSERT_TRUE(session.open());
    line_.stall();
    const auto uploaded = session.upload(local("large"), "large.part");
    ASSERT_FALSE(uploaded);
    EXPECT_EQ(uploaded.error().code, ErrorCode::timeout);
    EXPECT_FALSE(session.alive());
    SftpSession next(hasty);
    EXPECT_EQ(code_of(next.open()), ErrorCode::timeout);
}

TEST_F(Sftp, knows_that_an_upload_broke_off) {
    SftpSession session(options());
    ASSERT_TRUE(session.open());
    line_.cut_after(line_.sent() + 200'000, test::Line::whole);
    const auto uploaded = session.upload(local("large"), "large.part");
    ASSERT_FALSE(uploaded);
    EXPECT_EQ(uploaded.error().code, ErrorCode::unavailable) << uploaded.error().message;
    EXPECT_FALSE(session.alive());
    EXPECT_LT(server_.content("large.part").size(), 700'003U);
}

TEST_F(Sftp, knows_that_the_server_was_killed_in_the_middle) {
    SftpSession session(options());
    ASSERT_TRUE(session.open());
    ASSERT_TRUE(session.upload(local("small"), "a"));
    server_.kill_connections();
    const auto renamed = session.rename("a", "b");
    ASSERT_FALSE(renamed);
    EXPECT_EQ(renamed.error().code, ErrorCode::outcome_unknown);
    EXPECT_THAT(server_.names(), ElementsAre("a"));
}

TEST_F(Sftp, does_not_know_what_became_of_a_rename_without_an_answer) {
    SftpSession session(options());
    ASSERT_TRUE(session.open());
    ASSERT_TRUE(session.upload(local("small"), "a"));
    // The error of an answered question must not be taken for the answer to the rename.
    ASSERT_FALSE(session.status("b").value().has_value());
    line_.lose_next_answer();
    const auto renamed = session.rename("a", "b");
    ASSERT_FALSE(renamed);
    EXPECT_EQ(renamed.error().code, ErrorCode::outcome_unknown);
    EXPECT_THAT(server_.names(), ElementsAre("b")) << "the server did it";
}

TEST_F(Sftp, says_that_the_folder_cannot_be_written) {
    test::SftpServer read_only(folder_.path() / "read-only", "-R");
    auto there = options();
    there.port = read_only.port();
    there.private_key = Secret(e2e::read_file(read_only.client_key()));
    there.host_key = read_only.host_key();
    there.folder = read_only.inbox();
    SftpSession session(there);
    ASSERT_TRUE(session.open());
    const auto uploaded = session.upload(local("small"), "a");
    ASSERT_FALSE(uploaded);
    EXPECT_EQ(uploaded.error().code, ErrorCode::conflict);
    EXPECT_TRUE(session.alive());
    EXPECT_EQ(session.list_names().value().size(), 0U);
}

TEST_F(Sftp, says_that_the_disk_of_the_server_may_be_full) {
    server_.fill_disk();
    {
        SftpSession session(options());
        ASSERT_TRUE(session.open());
        const auto uploaded = session.upload(local("large"), "large.part");
        ASSERT_FALSE(uploaded);
        EXPECT_EQ(uploaded.error().code, ErrorCode::conflict);
        EXPECT_THAT(uploaded.error().message, HasSubstr("cannot write large.part: failure (a full disk"));
        EXPECT_TRUE(session.alive()) << "the line holds";
        EXPECT_EQ(session.status("large.part").value()->size, 512U);
        ASSERT_TRUE(session.remove("large.part"));
    }
    server_.free_disk();
    SftpSession session(options());
    ASSERT_TRUE(session.open());
    EXPECT_EQ(session.upload(local("large"), "large.part").value().size, 700'003U);
}

TEST_F(Sftp, a_file_that_may_not_be_read_has_no_hash) {
    test::SftpServer write_only(folder_.path() / "write-only", "-P read");
    auto there = options();
    there.port = write_only.port();
    there.private_key = Secret(e2e::read_file(write_only.client_key()));
    there.host_key = write_only.host_key();
    there.folder = write_only.inbox();
    SftpSession session(there);
    ASSERT_TRUE(session.open());
    ASSERT_TRUE(session.upload(local("small"), "a"));
    const auto hash = session.sha256("a");
    ASSERT_TRUE(hash) << hash.error().message;
    EXPECT_FALSE(hash->has_value());
    EXPECT_TRUE(session.alive());
}

TEST_F(Sftp, can_be_stopped_from_another_thread) {
    SftpSession session(options());
    ASSERT_TRUE(session.open());
    line_.stall();
    std::jthread stopper([&] { session.abort(); });
    EXPECT_EQ(session.upload(local("large"), "a").error().code, ErrorCode::cancelled);
}

}  // namespace
}  // namespace drawbridge::delivery
