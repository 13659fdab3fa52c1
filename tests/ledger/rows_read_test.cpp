// The steps read few rows for a few draws, however many draws the ledger has: PostgreSQL finds each by an index, also
// by plans from the time when the ledger was empty, and before the first statistics of its tables.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ledger/ledger_fixture.hpp"
#include "store/connection.hpp"
#include "store/postgresql/session.hpp"

namespace drawbridge::ledger {
namespace {

constexpr DrawId many = 1000;

class RowsRead : public LedgerFixture {
  protected:
    void SetUp() override {
        if (!on_postgresql()) GTEST_SKIP() << "query_plan_test looks at the plans of SQLite";
    }
    void read_all(DrawId from, DrawId to, DrawStatus status) {
        ledger->transaction([&] {
            for (DrawId id = from; id <= to; ++id)
                record_reading(*ledger, test::sample_draw(id, status), ReadingSource::poll, now);
        });
    }
    // From pending to a released payment.
    void pay_all(DrawId from, DrawId to) {
        read_all(from, to, DrawStatus::pending_approval);
        for (DrawId id = from; id <= to; ++id)
            decide(id, /*approve=*/true);
        for (DrawId calls = from; calls <= to; calls += 500) {
            for (const auto& item : submit())
                answer(item, ApprovalOutcome::approved);
        }
        read_all(from, to, DrawStatus::approved);
        pay();
    }
    // Rows read so far, per table.
    std::map<std::string, std::int64_t> rows_read() {
        (void)ledger->connection().db.postgresql().value_of("SELECT pg_stat_force_next_flush()");
        std::map<std::string, std::int64_t> rows;
        std::istringstream lines(
            test::PostgresqlCluster::instance().ask("SELECT relname || ' ' || seq_tup_read + coalesce(idx_tup_fetch, "
                                                    "0) FROM pg_stat_user_tables WHERE schemaname = 'ledger'"));
        std::string table;
        for (std::int64_t count = 0; lines >> table >> count;)
            rows[table] = count;
        return rows;
    }
};

TEST_F(RowsRead, for_a_few_draws_are_few_in_a_large_ledger) {
    pay_all(1, many);
    const auto before = rows_read();
    pay_all(many + 1, many + 3);
    read_all(1, 3, DrawStatus::approved);
    std::vector<Confirmation> lines;
    for (const auto& payment :
         load_file(*ledger, payment_files(*ledger, /*unreleased_only=*/false).back().file_id).file.payments)
        lines.push_back(
            {2, *payment.trace_number, ConfirmationKind::paid, payment.amount, parse_date("2026-03-05").value()});
    ASSERT_EQ(lines.size(), 3U);
    confirm(lines);
    for (const auto& [table, rows] : rows_read())
        EXPECT_LT(rows - (before.contains(table) ? before.at(table) : 0), many) << table;
}

}  // namespace
}  // namespace drawbridge::ledger
