// The start on a PostgreSQL server that is not as the ledger needs it, or on a ledger whose first start was
// interrupted.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "drawbridge/ledger/store/engine.hpp"
#include "store/connection.hpp"
#include "store/fact_digest.hpp"
#include "support/postgresql_cluster.hpp"
#include "support/samples.hpp"
#include "support/temporary_folder.hpp"

namespace drawbridge::ledger {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class PostgresqlStart : public ::testing::Test {
  protected:
    void SetUp() override {
        if (test::PostgresqlCluster::programs().empty()) GTEST_SKIP() << "not run: PostgreSQL is not installed";
        cluster().drop_schema();
    }
    void TearDown() override {
        if (!test::PostgresqlCluster::programs().empty()) cluster().drop_schema();
    }
    static test::PostgresqlCluster& cluster() { return test::PostgresqlCluster::instance(); }
    static PostgresqlAddress address(const std::string& user = "drawbridge") {
        return {cluster().url(user), "", test::PostgresqlCluster::schema()};
    }
    [[nodiscard]] Result<Ledger> open() const {
        return Ledger::open(folder_.path(), address(), test::at("2026-03-04T15:00:00"));
    }
    [[nodiscard]] std::vector<std::string> differences() const {
        auto ledger = open();
        if (!ledger) return {ledger.error().message};
        std::int64_t counted = 0;
        return rewritten_facts(*ledger, counted);
    }

    test::TemporaryFolder folder_;
};

class InterruptedFirstStart : public PostgresqlStart, public ::testing::WithParamInterface<const char*> {};

TEST_P(InterruptedFirstStart, is_continued_by_the_next) {
    // The server refuses this trigger, and so ends the start in the same place as a power loss would.
    cluster().exec(std::string(R"sql(
        CREATE FUNCTION public.cut() RETURNS event_trigger LANGUAGE plpgsql AS $$
        DECLARE
          made record;
        BEGIN
          FOR made IN SELECT object_identity FROM pg_event_trigger_ddl_commands() LOOP
            IF made.object_identity = ')sql") +
                   GetParam() + R"sql(' THEN RAISE EXCEPTION 'cut'; END IF;
          END LOOP;
        END $$;
        CREATE EVENT TRIGGER cut ON ddl_command_end WHEN TAG IN ('CREATE TRIGGER') EXECUTE FUNCTION public.cut())sql");
    EXPECT_THROW(static_cast<void>(open()), postgresql::Failure);
    cluster().exec("DROP EVENT TRIGGER cut; DROP FUNCTION public.cut");
    const auto opened = open();
    ASSERT_TRUE(opened) << opened.error().message;
    EXPECT_EQ(cluster().ask("SELECT c.relname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid "
                            "WHERE c.relnamespace = 'ledger'::regnamespace AND (t.tgname = 'never_emptied' OR t.tgname "
                            "LIKE 'fact_digest_%') GROUP BY c.relname HAVING count(*) <> 4"),
              "");
}

INSTANTIATE_TEST_SUITE_P(Cut, InterruptedFirstStart,
                         ::testing::Values("fact_digest_insert on ledger.payment_file",
                                           "fact_digest_delete on ledger.draw", "never_emptied on ledger.draw"),
                         [](const auto& test) { return "at_" + std::to_string(test.index); });

// As the interrupted first start of an earlier version left it.
TEST_F(PostgresqlStart, makes_missing_triggers_and_says_which_rows_changed_without_them) {
    ASSERT_TRUE(open());
    cluster().exec("DROP TRIGGER fact_digest_delete ON ledger.draw; DROP TRIGGER fact_digest_update ON ledger.draw");
    EXPECT_THAT(differences(), IsEmpty());
    EXPECT_EQ(cluster().ask("SELECT count(*) FROM pg_trigger WHERE tgrelid = 'ledger.draw'::regclass AND tgname LIKE "
                            "'fact_digest_%'"),
              "3");
    EXPECT_EQ(cluster().ask("SELECT count(*) FROM ledger.audit WHERE action = 'facts.differ'"), "0");
    cluster().exec(
        "DROP TRIGGER fact_digest_update ON ledger.ledger_identity; SET session_replication_role = replica; UPDATE "
        "ledger.ledger_identity SET created_at = created_at + 1");
    EXPECT_THAT(differences(), ElementsAre(HasSubstr("the rows of ledger_identity are not those that were recorded")));
    EXPECT_THAT(cluster().ask("SELECT detail FROM ledger.audit WHERE action = 'facts.differ'"),
                HasSubstr("ledger_identity are not those that were recorded: 1 rows, as recorded, with other values: a "
                          "trigger that follows its changes was missing"));
}

}  // namespace
}  // namespace drawbridge::ledger
