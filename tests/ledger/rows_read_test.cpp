// The steps read few rows for a few draws, however many draws the ledger has: PostgreSQL finds each by an index, also
// by plans from the time when the ledger was empty, and before the first statistics of its tables.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ledger/ledger_fixture.hpp"
#include "store/connection.hpp"
#include "store/postgresql/session.hpp"

namespace drawbridge::ledger {
namespace {

constexpr DrawId many = 1000, few = 300;

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
    // The bank paid all of the newest file.
    void confirm_newest_file(std::size_t payments) {
        std::vector<Confirmation> lines;
        for (const auto& payment : load_file(*ledger, newest_file()).file.payments)
            lines.push_back(
                {2, *payment.trace_number, ConfirmationKind::paid, payment.amount, parse_date("2026-03-05").value()});
        ASSERT_EQ(lines.size(), payments);
        confirm(lines, "bank of file " + std::to_string(newest_file()) + ".csv");
    }
    FileId newest_file() { return payment_files(*ledger, /*unreleased_only=*/false).back().file_id; }

    // Of each table it reads less than `limit`.
    void expect_few_rows(const std::string& what, const std::function<void()>& act, std::int64_t limit = few) {
        const auto before = rows_read();
        act();
        for (const auto& [table, rows] : rows_read())
            EXPECT_LT(rows - (before.contains(table) ? before.at(table) : 0), limit) << what << ", " << table;
    }
};

TEST_F(RowsRead, for_a_few_draws_are_few_in_a_large_ledger) {
    pay_all(1, many);
    const auto take_three_through = [&] {
        pay_all(many + 1, many + 3);
        read_all(1, 3, DrawStatus::approved);
        confirm_newest_file(3);
    };
    expect_few_rows("from pending to confirmed", take_three_through, many);
}

TEST_F(RowsRead, for_a_page_are_few_in_a_large_file) {
    pay_all(1, many);
    const auto first = paid_draws(*ledger, newest_file(), {}, 100);
    ASSERT_EQ(first.size(), 100U);
    expect_few_rows("payments of a file", [&] {
        EXPECT_EQ(paid_draws(*ledger, newest_file(), first.back().position, 10).size(), 10U);
        EXPECT_EQ(load_payments(*ledger, newest_file(), first.back().position, 10).size(), 10U);
    });
    confirm_newest_file(many);
    for (const std::string when : {"before", "with"}) {
        expect_few_rows("draws not yet marked, " + when + " statistics", [&] {
            EXPECT_EQ(draws_waiting_for_portal(*ledger, 100, *unfinished_up_to(*ledger, 100, 10)).size(), 10U);
        });
        ledger->connection().db.exec("ANALYZE payment");
    }
    read_all(1, many, DrawStatus::disbursed);
    const auto read_draws_to_report = [&] {
        EXPECT_EQ(reports_due(*ledger, 100, *unfinished_up_to(*ledger, 100, 10)).size(), 10U);
    };
    expect_few_rows("draws to report", read_draws_to_report);
    for (const std::string table : {"payment", "draw", "settlement"}) {
        ledger->connection().db.exec("ANALYZE " + table);
        expect_few_rows("draws to report, with statistics up to those of " + table, read_draws_to_report);
    }
    for (int page = 0; page < 10; ++page) {
        ledger->transaction([&] {
            for (const auto& due : reports_due(*ledger, page * 100, page * 100 + 100))
                open_patch(*ledger, due, now, stamp());
        });
    }
    expect_few_rows("patches to send", [&] { EXPECT_EQ(open_patches(*ledger, 100, 10).size(), 10U); });
}

TEST_F(RowsRead, for_blocked_draws_are_few_among_many) {
    pay_all(1, many);
    read_all(many + 1, 2 * many + 1, DrawStatus::approved);
    ledger->transaction([&] {
        for (DrawId id = many + 1; id <= 2 * many; ++id)
            raise_exception(*ledger, {"pay", "no_payee", id, std::nullopt, "", "no such payee"}, stamp());
    });
    expect_few_rows("facts of blocked draws", [&] {
        const FactsOfDraws facts(*ledger, {many + 1, many + 2, many + 3});
        EXPECT_TRUE(facts.of(many + 1).has_open_exceptions);
    });
    expect_few_rows("states of blocked draws", [&] {
        ledger->transaction([&] {
            raise_exception(*ledger, {"pay", "no_payee", 2 * many + 1, std::nullopt, "", "no such payee"}, stamp());
        });
    });
}

}  // namespace
}  // namespace drawbridge::ledger
