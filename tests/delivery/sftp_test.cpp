// The session against a real OpenSSH server, over a connection that breaks at critical points.
#include "drawbridge/delivery/sftp.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "delivery/sftp_server.hpp"
#include "drawbridge/domain/digest.hpp"
#include "support/temporary_folder.hpp"
#include "support/user_timeouts.hpp"

namespace drawbridge::delivery {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Sftp : public testing::Test {
  protected:
    Sftp() : server_(folder_.path() / "bank"), proxy_(server_.port()) {
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
        options.port = proxy_.port();
        options.user = server_.user();
        options.private_key = Secret(e2e::read_file(server_.client_key()));
        options.host_key = server_.host_key();
        options.folder = server_.inbox();
        return options;
    }
    static ErrorCode code_of(const Result<void>& result) { return result ? ErrorCode::cancelled : result.error().code; }

    test::TemporaryFolder folder_;
    test::SftpServer server_;
    test::TcpProxy proxy_;
};

TEST_F(Sftp, the_kernel_delivers_nothing_after_a_host_that_takes_over_has_waited) {
    SftpSession session(options());
    ASSERT_TRUE(session.open());
    EXPECT_THAT(test::user_timeouts_to(proxy_.port()), testing::AllOf(testing::Not(IsEmpty()), testing::Each(5000)));
}

TEST_F(Sftp, a_file_is_uploaded_and_renamed) {
    SftpSession session(options());
    ASSERT_TRUE(session.open());
    const auto uploaded = session.upload(local("large"), "large.part");
    ASSERT_TRUE(uploaded) << uploaded.error().message;
    EXPECT_EQ(uploaded->size, 700'003U);
    EXPECT_EQ(session.sha256("large.part", 700'003).value(), uploaded->sha256);
    EXPECT_EQ(session.status("large.part").value()->size, 700'003U);
    EXPECT_FALSE(session.status("large.ach").value().has_value());
    ASSERT_TRUE(session.rename("large.part", "large.ach"));
    EXPECT_THAT(server_.names(), ElementsAre("large.ach"));
    EXPECT_EQ(server_.content("large.ach"), e2e::read_file(local("large")));
    EXPECT_EQ(session.list_names().value().size(), 1U);
    EXPECT_TRUE(session.remove("large.ach"));
    EXPECT_EQ(session.remove("large.ach").error().code, ErrorCode::not_found) << "it is already gone";
    EXPECT_THAT(server_.names(), IsEmpty());
}

TEST_F(Sftp, a_file_is_never_overwritten) {
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

TEST_F(Sftp, a_server_with_another_host_key_is_refused) {
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

TEST_F(Sftp, the_host_key_comes_from_known_hosts_and_never_on_first_use) {
    auto known = options();
    known.host_key.clear();
    known.known_hosts_file = folder_.path() / "known_hosts";
    const std::string host = "[127.0.0.1]:" + std::to_string(proxy_.port());
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

// libssh ignores markers, so a revoked key would be trusted.
TEST_F(Sftp, a_known_hosts_file_with_markers_is_refused) {
    auto known = options();
    known.host_key.clear();
    known.known_hosts_file = folder_.path() / "known_hosts";
    const std::string good = "[127.0.0.1]:" + std::to_string(proxy_.port()) + " " + server_.host_key() + "\n";
    for (const std::string& marked : {"@revoked " + good, " @revoked * " + server_.host_key() + "\n"}) {
        std::ofstream(known.known_hosts_file) << "# keys\n" << good << marked;
        const auto checked = check_keys(known);
        EXPECT_EQ(code_of(checked), ErrorCode::invalid_input);
        EXPECT_THAT(checked.error().message, HasSubstr("known_hosts:3: markers"));
        SftpSession session(known);
        EXPECT_EQ(code_of(session.open()), ErrorCode::protocol);
    }
}

TEST_F(Sftp, a_server_without_a_host_key_of_the_pinned_kind_is_refused) {
    auto pinned = options();
    pinned.host_key =
        "ecdsa-sha2-nistp256 "
        "AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBFkNMkD5cMHHkZZQWQ/MmSZctg56E4/NG+Ylmbi74AlcUUeF1zSRK3sv7l"
        "2HcbBb3u992zRUuX51MZAU10kXeVE=";
    ASSERT_TRUE(check_keys(pinned));
    for (int tries = 0; tries < 5; ++tries) {
        SftpSession session(pinned);
        const auto opened = session.open();
        EXPECT_EQ(code_of(opened), ErrorCode::protocol);
        EXPECT_THAT(opened.error().message, HasSubstr("the server offers no ecdsa-sha2-nistp256 host key"));
        EXPECT_THAT(opened.error().message, HasSubstr("server [ssh-ed25519]"));
    }
}

TEST_F(Sftp, an_unknown_client_key_is_unauthorized) {
    test::make_ssh_key(folder_.path() / "other");
    auto wrong = options();
    wrong.private_key = Secret(e2e::read_file(folder_.path() / "other"));
    SftpSession session(wrong);
    EXPECT_EQ(code_of(session.open()), ErrorCode::unauthorized);
}

TEST_F(Sftp, keys_are_checked_before_a_connection) {
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

TEST_F(Sftp, a_closed_port_is_unavailable) {
    server_.stop();
    auto direct = options();
    direct.port = server_.port();
    SftpSession session(direct);
    EXPECT_EQ(code_of(session.open()), ErrorCode::unavailable);
}

TEST_F(Sftp, a_silent_server_times_out) {
    auto hasty = options();
    hasty.timeout = std::chrono::seconds(4);  // enough to log in on a busy machine
    SftpSession session(hasty);
    ASSERT_TRUE(session.open());
    proxy_.stall();
    const auto uploaded = session.upload(local("large"), "large.part");
    ASSERT_FALSE(uploaded);
    EXPECT_EQ(uploaded.error().code, ErrorCode::timeout);
    EXPECT_FALSE(session.alive());
    SftpSession next(hasty);
    EXPECT_EQ(code_of(next.open()), ErrorCode::timeout);
}

TEST_F(Sftp, a_cut_upload_is_unavailable) {
    SftpSession session(options());
    ASSERT_TRUE(session.open());
    proxy_.cut_after(proxy_.sent() + 200'000, test::TcpProxy::unlimited);
    const auto uploaded = session.upload(local("large"), "large.part");
    ASSERT_FALSE(uploaded);
    EXPECT_EQ(uploaded.error().code, ErrorCode::unavailable) << uploaded.error().message;
    EXPECT_FALSE(session.alive());
    EXPECT_LT(server_.content("large.part").size(), 700'003U);
}

TEST_F(Sftp, a_rename_after_the_server_died_has_an_unknown_outcome) {
    SftpSession session(options());
    ASSERT_TRUE(session.open());
    ASSERT_TRUE(session.upload(local("small"), "a"));
    server_.kill_connections();
    const auto renamed = session.rename("a", "b");
    ASSERT_FALSE(renamed);
    EXPECT_EQ(renamed.error().code, ErrorCode::outcome_unknown);
    EXPECT_THAT(server_.names(), ElementsAre("a"));
}

TEST_F(Sftp, a_rename_without_an_answer_has_an_unknown_outcome) {
    SftpSession session(options());
    ASSERT_TRUE(session.open());
    ASSERT_TRUE(session.upload(local("small"), "a"));
    // The error of an earlier request must not count as the answer to the rename.
    ASSERT_FALSE(session.status("b").value().has_value());
    proxy_.lose_next_answer();
    const auto renamed = session.rename("a", "b");
    ASSERT_FALSE(renamed);
    EXPECT_EQ(renamed.error().code, ErrorCode::outcome_unknown);
    EXPECT_THAT(server_.names(), ElementsAre("b")) << "the server renamed it";
}

TEST_F(Sftp, a_read_only_folder_is_a_conflict) {
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

TEST_F(Sftp, a_full_disk_at_the_server_is_a_conflict) {
    server_.fill_disk();
    {
        SftpSession session(options());
        ASSERT_TRUE(session.open());
        const auto uploaded = session.upload(local("large"), "large.part");
        ASSERT_FALSE(uploaded);
        EXPECT_EQ(uploaded.error().code, ErrorCode::conflict);
        EXPECT_THAT(uploaded.error().message, HasSubstr("cannot write large.part: failure (a full disk"));
        EXPECT_TRUE(session.alive()) << "the connection is still open";
        EXPECT_EQ(session.status("large.part").value()->size, 512U);
        ASSERT_TRUE(session.remove("large.part"));
    }
    server_.free_disk();
    SftpSession session(options());
    ASSERT_TRUE(session.open());
    EXPECT_EQ(session.upload(local("large"), "large.part").value().size, 700'003U);
}

TEST_F(Sftp, an_unreadable_file_has_no_hash) {
    test::SftpServer write_only(folder_.path() / "write-only", "-P read");
    auto there = options();
    there.port = write_only.port();
    there.private_key = Secret(e2e::read_file(write_only.client_key()));
    there.host_key = write_only.host_key();
    there.folder = write_only.inbox();
    SftpSession session(there);
    ASSERT_TRUE(session.open());
    ASSERT_TRUE(session.upload(local("small"), "a"));
    const auto hash = session.sha256("a", 18);
    ASSERT_TRUE(hash) << hash.error().message;
    EXPECT_FALSE(hash->has_value());
    EXPECT_TRUE(session.alive());
}

TEST_F(Sftp, an_upload_whose_last_bytes_are_not_answered_has_an_unknown_outcome) {
    server_.behave_oddly("cuts_at_close");
    SftpSession session(options());
    ASSERT_TRUE(session.open());
    const auto uploaded = session.upload(local("large"), "a");
    ASSERT_FALSE(uploaded);
    EXPECT_EQ(uploaded.error().code, ErrorCode::outcome_unknown) << uploaded.error().message;
}

TEST_F(Sftp, an_upload_whose_last_bytes_are_refused_has_an_unknown_outcome) {
    server_.behave_oddly("takes_and_denies");
    SftpSession session(options());
    ASSERT_TRUE(session.open());
    const auto uploaded = session.upload(local("large"), "a");
    ASSERT_FALSE(uploaded);
    EXPECT_EQ(uploaded.error().code, ErrorCode::outcome_unknown) << uploaded.error().message;
    EXPECT_TRUE(session.alive());
}

TEST_F(Sftp, a_file_is_read_back_up_to_one_byte_more_than_its_size) {
    server_.behave_oddly("endless_reads");
    SftpSession session(options());
    ASSERT_TRUE(session.open());
    ASSERT_TRUE(session.upload(local("small"), "a"));
    EXPECT_EQ(session.sha256("a", 100'000).value(), sha256_hex(std::string(100'001, 'x')));
}

TEST_F(Sftp, a_listing_without_end_is_an_error) {
    server_.behave_oddly("endless_names");
    SftpSession session(options());
    ASSERT_TRUE(session.open());
    const auto names = session.list_names();
    ASSERT_FALSE(names);
    EXPECT_EQ(names.error().code, ErrorCode::conflict);
    EXPECT_THAT(names.error().message, HasSubstr("it has more than 100000 names"));
}

TEST_F(Sftp, a_server_that_answers_slowly_without_end_times_out) {
    write("chunks", std::string(1024UL * 1024, 'x'));
    const auto expect_timeout = [&](const std::string& oddity, auto request) {
        server_.behave_oddly(oddity);
        auto hasty = options();
        hasty.timeout = std::chrono::seconds(4);  // enough to log in on a busy machine
        hasty.answers_per_operation = 1;
        hasty.bytes_per_second = 16UL * 1024 * 1024;
        SftpSession session(hasty);
        ASSERT_TRUE(session.open());
        const Error error = request(session);
        EXPECT_EQ(error.code, ErrorCode::timeout) << oddity << ": " << error.message;
        EXPECT_THAT(error.message, HasSubstr("not finished within 4000 ms")) << oddity;
        EXPECT_FALSE(session.alive());
    };
    std::ofstream(server_.inbox() / "remote") << std::string(1000, 'x');
    expect_timeout("slow_reads", [](SftpSession& session) { return session.sha256("remote", 1000).error(); });
    expect_timeout("slow_names", [](SftpSession& session) { return session.list_names().error(); });
    expect_timeout("slow_writes", [&](SftpSession& session) { return session.upload(local("chunks"), "a").error(); });
}

TEST_F(Sftp, a_folder_that_nobody_may_list_is_forbidden) {
    server_.behave_oddly("unlisted");
    {
        SftpSession session(options());
        ASSERT_TRUE(session.open());
        EXPECT_EQ(session.list_names().error().code, ErrorCode::forbidden);
    }
    server_.behave_oddly("cannot_list");
    SftpSession session(options());
    ASSERT_TRUE(session.open());
    EXPECT_EQ(session.list_names().error().code, ErrorCode::conflict);
    EXPECT_THAT(session.list_names().error().message, testing::EndsWith(": failure"));
}

TEST_F(Sftp, abort_works_from_another_thread) {
    SftpSession session(options());
    ASSERT_TRUE(session.open());
    proxy_.stall();
    std::jthread stopper([&] { session.abort(); });
    EXPECT_EQ(session.upload(local("large"), "a").error().code, ErrorCode::cancelled);
}

}  // namespace
}  // namespace drawbridge::delivery
