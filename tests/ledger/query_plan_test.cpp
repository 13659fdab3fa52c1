// Every query that the daemon runs in a cycle goes by an index, whatever the ledger holds.
#include <gmock/gmock.h>

#include "connection.hpp"
#include "drawbridge/ledger/backups.hpp"
#include "drawbridge/ledger/check_register.hpp"
#include "drawbridge/ledger/exports.hpp"
#include "drawbridge/ledger/guards.hpp"
#include "drawbridge/ledger/restorations.hpp"
#include "drawbridge/ledger/returns.hpp"
#include "drawbridge/ledger/runs.hpp"
#include "ledger/ledger_fixture.hpp"

namespace drawbridge::ledger {
namespace {

class QueryPlan : public LedgerFixture {
  protected:
    // Lines of the plan that walk a whole table.
    std::vector<std::string> scans(const std::string& sql) {
        std::vector<std::string> found;
        SQLite::Statement plan(ledger->connection().db, "EXPLAIN QUERY PLAN " + sql);
        while (plan.executeStep()) {
            const std::string step = plan.getColumn(3).getString();
            // A partial index holds only what is open; one row from the end of an index is no walk.
            const bool by_index = step.find("USING") != std::string::npos;
            // json_each holds the few configured workflows.
            const bool is_small =
                step.find("CONSTANT ROW") != std::string::npos || step.find("json_each") != std::string::npos;
            if (step.starts_with("SCAN") && !by_index && !is_small) found.push_back(step);
        }
        return found;
    }

    void run_a_cycle() {
        const auto zone = test::sample_plan_settings().zone;
        (void)unfinished_draws(*ledger);
        (void)newest_reading(*ledger, 1);
        (void)live_payment(*ledger, 1);
        (void)draws_to_decide(*ledger, "x", Instant(), {}, 10);
        (void)approvals_to_submit(*ledger, "x", {}, 10);
        (void)open_approvals(*ledger);
        (void)draws_to_pay(*ledger);
        (void)agreed_amount(*ledger, 1);
        (void)number_block(*ledger, parse_date("2026-03-04").value(), 1);
        (void)lifts_of(*ledger, 1);
        ledger->transaction([&] { observe_payees(*ledger, test::sample_directory(), {now, "drawbridge"}); });
        (void)payee_standing(*ledger, *test::sample_directory().find("PAYEE-1"), /*prenotes_required=*/true);
        (void)earlier_payment(*ledger, "PAYEE-1", Money::from_cents(100), parse_date("2026-03-04").value());
        (void)planned_on(*ledger, parse_date("2026-03-04").value());
        (void)planned_from(*ledger, 1);
        (void)find_prenote(*ledger, "091000010000001");
        (void)pay_runs(*ledger, 1);
        (void)effective_entry_dates(*ledger, 1);
        (void)load_file(*ledger, 1);
        (void)payment_files(*ledger, /*unreleased_only=*/true);
        (void)open_check_orders(*ledger);
        (void)check_register(*ledger, parse_date("2026-03-04").value());
        (void)outstanding_checks(*ledger, parse_date("2026-03-04").value());
        (void)newly_stale_checks(*ledger, parse_date("2026-03-04").value());
        (void)load_file(*ledger, 1);
        ledger->transaction([&] {
            (void)close_stale_cases(*ledger, stamp());
            (void)withdraw_check_order(*ledger, 1001, "x", stamp());
        });
        (void)is_applied(*ledger, "x");
        (void)payments_for(*ledger, {"091000010000001", "1001", "P0000000001"}, zone);
        (void)reports_due(*ledger, 10);
        (void)open_patches(*ledger);
        (void)overtaken_patches(*ledger);
        (void)open_reissue(*ledger, 1);
        (void)payment_hold_for(*ledger, *test::sample_directory().find("PAYEE-1"), 7);
        (void)find_exception(*ledger, 1);
        (void)waiting_for_portal(*ledger);
        (void)draws_waiting_for_portal(*ledger, 0, 10);
        (void)last_full_sweep(*ledger);
        (void)newest_modified_date(*ledger);
        (void)open_exceptions(*ledger);
        (void)last_cutoff(*ledger);
        (void)open_restoration(*ledger);
        (void)restored_hold(*ledger, 1);
        (void)changes_since_planned(*ledger, 1);
        (void)export_line(*ledger, 1);
        (void)knows_export(*ledger, 1, "x");
        (void)last_scheduled_backup(*ledger);
        write_mark(*ledger);
        (void)last_runs(*ledger);
        (void)is_paused(*ledger);
        (void)exceptions_of_draw(*ledger, 1);
        (void)find_draw(*ledger, 1);
        (void)timeline(*ledger, 1);
    }
};

TEST_F(QueryPlan, has_no_walk_over_a_whole_table) {
    read(test::sample_draw(1, DrawStatus::pending_approval));
    decide(1, /*approve=*/true);
    answer(submit().front(), ApprovalOutcome::approved);
    read(test::sample_draw(1, DrawStatus::approved));
    pay();
    // Without statistics SQLite plans for tables that are large.
    run_a_cycle();
    const auto statements = ledger->connection().statement_texts();
    ASSERT_GT(statements.size(), 25U);
    for (const auto& sql : statements) {
        // One row from the end of the primary key, which a plan shows as a walk.
        if (sql.ends_with("ORDER BY control_id DESC LIMIT 1") ||
            sql.ends_with("FROM draw ORDER BY draw_id DESC LIMIT 1"))
            continue;
        EXPECT_THAT(scans(sql), ::testing::IsEmpty()) << sql;
    }
}

TEST_F(QueryPlan, the_check_sees_a_walk) {
    EXPECT_THAT(scans("SELECT * FROM draw_reading WHERE description = 'x'"), ::testing::SizeIs(1));
}

}  // namespace
}  // namespace drawbridge::ledger
