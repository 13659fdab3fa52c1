// The server of the ledger is away for a while: a daemon ends when it loses its connection, and a start waits until the
// server is back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>

#include "e2e/office.hpp"
#include "support/postgresql_cluster.hpp"

namespace drawbridge::e2e {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

namespace fs = std::filesystem;

class LostServer : public testing::Test {
  protected:
    static OfficeOptions on(const test::PostgresqlCluster& server) {
        OfficeOptions options;
        options.ledger = "{witness: none, url: \"" + server.url("office") + "\"}";
        return options;
    }
    [[nodiscard]] std::string said(const std::string& name) const {
        const auto file = folder_.path() / name;
        return fs::exists(file) ? read_file(file) : std::string();
    }
    Process start(const Office& office, const std::string& name, const std::vector<std::string>& arguments) {
        auto daemon = office.command("drawbridge", arguments);
        daemon.stdout_file = folder_.path() / (name + ".out");
        daemon.stderr_file = folder_.path() / name;
        return Process(daemon);
    }
    [[nodiscard]] testing::AssertionResult says(const std::string& name, const std::string& text) const {
        if (eventually([&] { return said(name).contains(text); })) return testing::AssertionSuccess();
        return testing::AssertionFailure() << name << ": " << said(name);
    }

    TemporaryFolder folder_;
    test::PostgresqlCluster server_{20000 + ::getpid() % 10000, {}, {}};
    House house_{on(server_)};
};

TEST_F(LostServer, ends_the_writer_within_a_second_which_goes_on_before_the_one_that_stands_by) {
    const Office other(folder_.path() / "other", house_.sandbox.port(), on(server_));
    house_.office.use_writers(folder_.path() / "writers of the first");
    house_.office.run_once();
    fs::copy_file(house_.office.state() / "sealing.key", other.state() / "sealing.key");
    auto writer = start(house_.office, "writer", {"run", "--standby"});
    ASSERT_TRUE(says("writer", "ready: "));
    auto standby = start(other, "standby", {"run", "--standby"});
    ASSERT_TRUE(says("standby", "standing by: "));

    server_.stop();
    const auto end = writer.wait(2s);
    ASSERT_TRUE(end) << said("writer");
    EXPECT_EQ(end->code, 1);
    EXPECT_THAT(said("writer"), HasSubstr("the connection to PostgreSQL is lost"));
    ASSERT_TRUE(says("standby", "waiting for the ledger's server: "));
    auto again = start(house_.office, "again", {"run", "--standby"});
    ASSERT_TRUE(says("again", "waiting for the ledger's server: "));
    EXPECT_TRUE(standby.running());

    server_.start_again();
    ASSERT_TRUE(says("again", "ready: "));
    EXPECT_THAT(said("again"), Not(HasSubstr("did not end cleanly")));
    EXPECT_THAT(said("standby"), Not(HasSubstr("ready: ")));
    again.kill();
    ASSERT_TRUE(says("standby", "ready: "));
}

TEST_F(LostServer, is_waited_for_by_a_start_unless_it_was_never_reached) {
    house_.office.run_once();
    const Office fresh(folder_.path() / "fresh", house_.sandbox.port(), on(server_));
    server_.stop();
    const auto refused = fresh.run({"run"});
    EXPECT_EQ(refused.exit.code, 74);
    EXPECT_THAT(refused.err, HasSubstr("ledger.url: PostgreSQL cannot be reached"));
    auto waits = start(house_.office, "waits", {"run"});
    ASSERT_TRUE(says("waits", "waiting for the ledger's server: ledger.url: PostgreSQL cannot be reached"));
    server_.start_again();
    ASSERT_TRUE(says("waits", "ready: "));
}

// The daemon waits in its commit, and cannot answer.
TEST_F(LostServer, is_named_to_people_when_a_commit_waits_for_its_standby) {
    house_.office.run_once();
    auto daemon = start(house_.office, "daemon", {"run"});
    ASSERT_TRUE(says("daemon", "ready: "));
    const auto wait_for = [&](const std::string& standby) {
        server_.exec("ALTER SYSTEM SET synchronous_standby_names = '" + standby + "'");
        server_.exec("SELECT pg_reload_conf()");
    };
    wait_for("db2");
    house_.sandbox.add({1, 250'00, "ACH-1"});
    ASSERT_TRUE(eventually([&] {
        return server_.ask("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'") == "1";
    })) << said("daemon");
    auto asked = start(house_.office, "asked", {"status"});
    EXPECT_TRUE(says("asked", "the daemon does not answer yet: a commit has waited "));
    EXPECT_TRUE(says("asked", " s for a standby of the PostgreSQL server"));
    EXPECT_TRUE(says("asked", "(db2)"));
    wait_for("");
    const auto end = asked.wait(20s);
    ASSERT_TRUE(end);
    EXPECT_EQ(end->code, 0) << said("asked");
}

TEST_F(LostServer, is_found_by_check_online_and_named) {
    const auto there = house_.office.run({"check", "--online"});
    EXPECT_THAT(there.out, HasSubstr("database  "));
    EXPECT_THAT(there.out, HasSubstr(", commits wait for no other server"));
    server_.stop();
    const auto away = house_.office.run({"check", "--online"});
    EXPECT_NE(away.exit.code, 0);
    EXPECT_THAT(away.err, HasSubstr("ledger.url: PostgreSQL cannot be reached"));
}

}  // namespace
}  // namespace drawbridge::e2e
