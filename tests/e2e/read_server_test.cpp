// Reports that are read on a hot standby of the ledger's server.
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

using testing::HasSubstr;
using testing::Not;

namespace fs = std::filesystem;

constexpr std::int64_t draws_there = 6;
constexpr const char* from_standby = "read from the standby ";

OfficeOptions read_on(const test::PostgresqlCluster& standby) {
    OfficeOptions options;
    options.ledger = "{witness: none, url: \"" + test::PostgresqlCluster::instance().url("office") +
                     "\", read_url: \"" + standby.url("office") + "\", read_max_lag: 0s, schema: read_" +
                     std::to_string(::getpid()) + "}";
    return options;
}

TEST(ReadServer, answers_reports_of_the_daemon_and_of_a_machine_without_one) {
    test::PostgresqlCluster standby(test::PostgresqlCluster::StandbyOf{test::PostgresqlCluster::instance()});
    const auto options = read_on(standby);
    House house(options);
    auto& office = house.office;
    office.run_once();
    TemporaryFolder folder;
    const Office other(folder.path() / "office", house.sandbox.port(), options);
    fs::create_directories(other.state());
    fs::copy_file(office.state() / "sealing.key", other.state() / "sealing.key");
    add_draws(house.sandbox, draws_there);
    office.configure("metrics: {listen: \"127.0.0.1:0\"}\n");
    auto daemon = office.start_daemon();
    ASSERT_TRUE(eventually([&] { return fs::exists(office.state() / "drawbridge.sock"); }));
    ASSERT_TRUE(eventually([&] { return office.states().size() == draws_there; })) << office.daemon_log();

    const auto report = office.run({"reconcile", "--json"});
    EXPECT_EQ(to_string(report.exit), "exit 0") << report.err;
    EXPECT_THAT(report.err, HasSubstr(from_standby));
    EXPECT_THAT(report.err, HasSubstr(", which is up to date"));
    EXPECT_THAT(report.out, HasSubstr("\"read_from\":\"read from the standby "));
    const auto reports = [&] { return office.json({"status"}).at("ledger").at("reports").get<std::string>(); };
    EXPECT_THAT(reports(), HasSubstr(from_standby));
    office.expect_verified();
    EXPECT_THAT(reports(), Not(HasSubstr("where the ledger is written")));
    EXPECT_THAT(office.metrics(), HasSubstr("drawbridge_report_queries_total{server=\"standby\"} "));
    EXPECT_THAT(office.metrics(), Not(HasSubstr("drawbridge_report_queries_total{server=\"writer\"} ")));

    const auto elsewhere = other.run({"draws"});
    EXPECT_EQ(to_string(elsewhere.exit), "exit 0") << elsewhere.err;
    EXPECT_THAT(elsewhere.err, HasSubstr(from_standby));
    EXPECT_EQ(other.states(), office.states());
    other.expect_verified();
    const auto act = other.run({"pause", "--reason", "test"});
    EXPECT_EQ(to_string(act.exit), "exit 1");
    EXPECT_THAT(act.err, HasSubstr("no daemon answers here, and another machine writes this ledger"))
        << "an act needs the ledger itself";
    EXPECT_THAT(other.run({"reconcile", "--fresh"}).err, HasSubstr("act where the daemon runs"));

    // A standby that does not follow answers nothing.
    standby.pause_replay();
    house.sandbox.add({draws_there + 1, 250'00, "ACH-1"});
    ASSERT_TRUE(eventually([&] { return office.states().contains(draws_there + 1); })) << office.daemon_log();
    EXPECT_THAT(reports(), HasSubstr("read where the ledger is written: ledger.read_url: "));
    EXPECT_THAT(office.metrics(), HasSubstr("drawbridge_report_queries_total{server=\"writer\"} "));
    EXPECT_THAT(office.daemon_log(), HasSubstr("reports are read where the ledger is written: ledger.read_url: "));
    office.expect_verified();
    const auto refused = other.run({"draws"});
    EXPECT_EQ(to_string(refused.exit), "exit 1");
    EXPECT_THAT(refused.err, HasSubstr("and ledger.read_max_lag is 0 ms"));
    standby.resume_replay();
    EXPECT_TRUE(other.states().contains(draws_there + 1));

    daemon.signal(SIGTERM);
    ASSERT_TRUE(daemon.wait(std::chrono::seconds(20)));
    EXPECT_THAT(office.run({"status"}).err, HasSubstr(from_standby)) << "without a daemon here too";
}

}  // namespace
}  // namespace drawbridge::e2e
