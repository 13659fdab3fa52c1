// The role that config/postgresql/daemon-role.sql makes for the daemon.
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

#include "drawbridge/ledger/store/standby.hpp"
#include "ledger/ledger_fixture.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

class DaemonRole : public ::testing::Test {
  protected:
    void SetUp() override {
        if (test::PostgresqlCluster::programs().empty()) GTEST_SKIP() << "not run: PostgreSQL is not installed";
        cluster().drop_schema();
        ASSERT_TRUE(Ledger::open(folder_.path(), as("drawbridge"), now_));
        std::ifstream file(DRAWBRIDGE_SOURCE_DIR "/config/postgresql/daemon-role.sql");
        const std::string sql(std::istreambuf_iterator<char>(file), {});
        cluster().exec("SET drawbridge.schema = 'ledger'; SET drawbridge.daemon = 'office';\n" + sql);
    }
    void TearDown() override {
        if (!test::PostgresqlCluster::programs().empty()) cluster().drop_schema();
    }
    static test::PostgresqlCluster& cluster() { return test::PostgresqlCluster::instance(); }
    static PostgresqlAddress as(const std::string& user) {
        return {cluster().url(user), "", test::PostgresqlCluster::schema()};
    }
    static bool may(postgresql::Session& session, const std::string& sql) {
        session.exec("BEGIN");
        bool may = true;
        try {
            session.exec(sql);
        } catch (const postgresql::Failure& failure) {
            EXPECT_EQ(failure.state(), "42501") << sql << ": " << failure.what();  // insufficient_privilege
            may = false;
        }
        session.roll_back();
        return may;
    }

    test::TemporaryFolder folder_;
    Instant now_ = test::at("2026-03-04T15:00:00");
};

TEST_F(DaemonRole, can_neither_rewrite_nor_delete_facts_nor_drop_what_refuses_it) {
    postgresql::Session session(as("office"));
    std::vector<std::array<std::string, 3>> triggers;
    session.for_each_row(
        "SELECT c.relname, t.tgname, (SELECT a.attname FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum = 1) "
        "FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE c.relnamespace = 'ledger'::regnamespace "
        "AND t.tgname ~ '_no_(update|delete)$'",
        [&](const PGresult* row) {
            triggers.push_back({PQgetvalue(row, 0, 0), PQgetvalue(row, 0, 1), PQgetvalue(row, 0, 2)});
        });
    ASSERT_GT(triggers.size(), 80U);
    for (const auto& [table, trigger, column] : triggers) {
        const bool is_update = trigger.ends_with("_no_update");
        EXPECT_FALSE(
            may(session, is_update ? "UPDATE " + table + " SET " + column + " = " + column : "DELETE FROM " + table));
        EXPECT_FALSE(may(session, "DROP TRIGGER " + trigger + " ON " + table));
        EXPECT_FALSE(may(session, "ALTER TABLE " + table + " DISABLE TRIGGER ALL"));
        EXPECT_FALSE(may(session, "TRUNCATE " + table + " CASCADE"));
    }
    EXPECT_FALSE(may(session, "UPDATE ledger_schema SET version = 1"));
    EXPECT_FALSE(may(session, "CREATE TABLE ledger.more (a bigint)"));
}

TEST_F(DaemonRole, opens_the_ledger_and_says_whether_it_owns_the_tables) {
    {
        auto ledger = Ledger::open(folder_.path(), as("office"), now_);
        ASSERT_TRUE(ledger) << ledger.error().message;
        EXPECT_FALSE(hosts_of(*ledger, {})->owns_tables);
    }
    auto ledger = Ledger::open(folder_.path(), as("drawbridge"), now_);
    EXPECT_TRUE(hosts_of(*ledger, {})->owns_tables);
}

TEST_F(DaemonRole, is_named_when_it_may_not_create_a_ledger) {
    const test::TemporaryFolder other;
    const PostgresqlAddress elsewhere{cluster().url("office"), "", "elsewhere"};
    cluster().exec("CREATE SCHEMA elsewhere");
    for (const char* grant : {"", "GRANT USAGE ON SCHEMA elsewhere TO office"}) {
        cluster().exec(grant);
        const auto refused = Ledger::open(other.path(), elsewhere, now_);
        ASSERT_FALSE(refused) << grant;
        EXPECT_EQ(refused.error().code, ErrorCode::invalid_input);
        EXPECT_THAT(refused.error().message,
                    testing::StartsWith("ledger.url: PostgreSQL refuses what a ledger needs: "));
    }
    cluster().exec("DROP SCHEMA elsewhere");
}

}  // namespace
}  // namespace drawbridge::ledger
