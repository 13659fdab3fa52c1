// Every query that the daemon runs in a cycle uses an index, whatever the size of the ledger.
#include <gmock/gmock.h>

#include <regex>

#include "drawbridge/ledger/facts/alerts.hpp"
#include "drawbridge/ledger/facts/by_time.hpp"
#include "drawbridge/ledger/facts/deliveries.hpp"
#include "drawbridge/ledger/facts/draw_facts.hpp"
#include "drawbridge/ledger/facts/evidence.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/exports.hpp"
#include "drawbridge/ledger/facts/guards.hpp"
#include "drawbridge/ledger/facts/invariant_checks.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/ledger/facts/plans.hpp"
#include "drawbridge/ledger/facts/resolutions.hpp"
#include "drawbridge/ledger/facts/restorations.hpp"
#include "drawbridge/ledger/facts/returns.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/ledger/facts/staged_lines.hpp"
#include "drawbridge/ledger/facts/write_back.hpp"
#include "drawbridge/ledger/reports/check_register.hpp"
#include "drawbridge/ledger/reports/journal.hpp"
#include "drawbridge/ledger/reports/reconciliation.hpp"
#include "drawbridge/ledger/reports/return_rates.hpp"
#include "drawbridge/ledger/reports/totals.hpp"
#include "drawbridge/ledger/store/backups.hpp"
#include "ledger/ledger_fixture.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

class QueryPlan : public LedgerFixture {
  protected:
    // The draws of one file through the view file_maker, its rows, the one row `once`, and the few uids of
    // people are small.
    static bool is_of_makers(const std::string& step) {
        return step == "SCAN t" || step == "SCAN file_maker" || step == "SCAN once" || step == "SCAN uid_person_ever" ||
               step == "SCAN person_uid";
    }
    // A partial index contains only open rows, and reading one row from the end of an index, or any one, is not a scan.
    // Any other index contains a row for each of the table's. There are few number ranges, and a few delivery steps for
    // each file.
    bool is_of_few_rows(const std::string& sql, const std::string& step) {
        std::smatch index;
        if (!std::regex_search(step, index, std::regex("USING (?:COVERING )?INDEX (\\w+)"))) return false;
        if (index[1] == "sqlite_autoindex_number_range_1" || index[1] == "delivery_step_by_step") return true;
        Query made(*ledger, "SELECT sql LIKE '% WHERE %' FROM sqlite_master WHERE name = ?", index[1].str());
        const bool reads_one_row =
            sql.contains("LIMIT") || sql.contains("max(") || sql.contains("min(") || sql.starts_with("SELECT EXISTS (");
        return made.first<bool>().value_or(false) || reads_one_row;
    }
    // Lines of the plan that scan a whole table.
    std::vector<std::string> scans(const std::string& sql) {
        std::vector<std::string> found;
        SQLite::Statement plan(ledger->connection().db.sqlite(), "EXPLAIN QUERY PLAN " + sql);
        while (plan.executeStep()) {
            const std::string step = plan.getColumn(3).getString();
            // json_each has the ids of one part of the draws, lost_modifiers some dates for each restore, draw_moved
            // the draws of the running transaction, invariant_number the numbers of the invariants, file_batch the
            // batches of a file.
            const bool is_small = step.find("CONSTANT ROW") != std::string::npos ||
                                  step.find("json_each") != std::string::npos || step == "SCAN draw_moved" ||
                                  step == "SCAN m" || step == "SCAN newest_run" || step == "SCAN lost_modifiers" ||
                                  step == "SCAN invariant_number" || step == "SCAN file_batch" || is_of_makers(step);
            if (step.starts_with("SCAN") && !is_small && !is_of_few_rows(sql, step) &&
                !is_about_broken_references(sql, step))
                found.push_back(step);
        }
        return found;
    }

    void tell_of_the_release() {
        using disbursement::WriteBackEvent;
        const auto zone = test::sample_plan_settings().zone;
        for (auto& open : open_write_backs(*ledger)) {
            open.event = WriteBackEvent::return_;  // runs the most queries
            (void)write_back_values(*ledger, open, zone);
            ledger->transaction([&] {
                record_write_back_texts(*ledger, open, {{"fieldE", "x"}}, stamp());
                (void)write_back_texts(*ledger, open);
                record_field_outcome(*ledger, open, "fieldE", FieldOutcome::written, "", "x", stamp());
                finish_write_back(*ledger, open, stamp());
            });
        }
    }

    void stage_a_file() {
        StagedLines lines(*ledger, /*lines_in_memory=*/0);
        Confirmation line;
        line.date = parse_date("2026-03-04").value();
        line.references = {{ReferenceKind::any, "091000010000001"}, {ReferenceKind::payment_id, "P0000000001"}};
        lines.add(line);
        (void)lines.next(1);
        (void)lines.has_more();
        ledger->transaction([&] { lines.forget_returned(); });
        lines.add(line);
        lines.seal();
        StagedLines others(*ledger, /*lines_in_memory=*/0, /*max_per_payment=*/0);
        others.add(line);
        (void)ConfirmationRecord::unfinished(*ledger, "test");
        (void)recording_since(*ledger);
        (void)check_not_recording(*ledger);
        discard_abandoned();
        (void)draw_of_payment(*ledger, 1);
        (void)is_applied(*ledger, "x");
    }

    void discard_abandoned() {
        {
            StagedLines abandoned(*ledger, /*lines_in_memory=*/0);
            Confirmation line;
            line.date = parse_date("2026-03-04").value();
            abandoned.add(line);
        }
        while (discard_staged_lines(*ledger))
            continue;
    }

    void run_a_cycle() {
        const auto zone = test::sample_plan_settings().zone;
        (void)unfinished_draws(*ledger, 0, 10);
        (void)newest_reading(*ledger, 1);
        (void)live_payment(*ledger, 1);
        (void)draws_to_decide(*ledger, "x", Instant(), {}, 10);
        (void)unreadable_draws(*ledger, 0, 10);
        (void)another_was_approved_since(*ledger, {.draw_id = 1});
        (void)approvals_to_submit(*ledger, "x", {}, 10);
        (void)next_pending(*ledger, 0, 10);
        (void)may_need_deciding(*ledger, now);
        (void)unreadable_draws_key(*ledger);
        (void)open_approvals(*ledger);
        (void)draws_to_pay(*ledger);
        (void)FactsOfDraws(*ledger, {1, 2});
        (void)newest_readings(*ledger, {1, 2});
        (void)number_block(*ledger, parse_date("2026-03-04").value(), 1);
        (void)lifts_of(*ledger, 1);
        ledger->transaction([&] { observe_payees(*ledger, test::sample_directory(), {now, "drawbridge"}); });
        (void)payee_standing(*ledger, *test::sample_directory().find("PAYEE-1"), /*prenotes_required=*/true);
        (void)earlier_payment(*ledger, 1, "PAYEE-1", "print", Money::from_cents(100));
        (void)planned_on(*ledger, {parse_date("2026-03-04").value(), now, now});
        (void)planned_from(*ledger, 1);
        (void)find_prenote(*ledger, "091000010000001");
        (void)pay_runs(*ledger, 1);
        (void)effective_entry_dates(*ledger, 1);
        (void)load_file(*ledger, 1);
        (void)payment_files(*ledger, /*unreleased_only=*/true);
        (void)find_delivery(*ledger, 1);
        (void)open_deliveries(*ledger);
        (void)files_to_encrypt(*ledger);
        (void)delivery_steps(*ledger, 1);
        (void)undelivered(*ledger);
        (void)delivery_step_counts(*ledger);
        (void)open_check_orders(*ledger);
        (void)check_register(*ledger, parse_date("2026-03-04").value(), 0, 1000);
        (void)list_open_exceptions(*ledger, {"", "", {}, {}, 1, 1000});
        (void)payment_files_after(*ledger, 1, 1000);
        (void)alert_history(*ledger, 1000, 1);
        (void)backups_before(*ledger, 1, 1000);
        (void)pay_runs_before(*ledger, 1, 1000);
        (void)outstanding_checks(*ledger, parse_date("2026-03-04").value());
        (void)newly_stale_checks(*ledger, parse_date("2026-03-04").value());
        (void)load_file(*ledger, 1);
        stage_a_file();
        ledger->transaction([&] {
            (void)close_stale_exceptions(*ledger, stamp());
            (void)withdraw_check_order(*ledger, 1001, "x", stamp());
        });
        (void)is_applied(*ledger, "x");
        (void)payments_for(*ledger, {"091000010000001", "1001", "P0000000001"}, zone);
        (void)reports_due(*ledger);
        (void)open_patches(*ledger);
        (void)overtaken_patches(*ledger);
        (void)open_reissue(*ledger, 1);
        (void)payment_hold_for(*ledger, *test::sample_directory().find("PAYEE-1"), 7);
        (void)find_exception(*ledger, 1);
        (void)line_of_exception(*ledger, 1);
        RecordedLine line;
        line.refused = true;
        line.confirmation.payment_reference = "10001";
        (void)proposals_for(*ledger, line, zone, parse_date("2026-03-04").value());
        ledger->transaction([&] {
            (void)match_line(*ledger, {1, "x"}, 1, zone, stamp());
            (void)undo_resolution(*ledger, {1, "x"}, stamp());
        });
        (void)waiting_for_portal(*ledger);
        (void)draws_with_open_exceptions(*ledger);
        (void)newest_open_patch(*ledger);
        (void)unconfirmed_credits(*ledger, parse_date("2026-03-04").value());
        (void)releases_since(*ledger, stamp().at, "drawbridge");
        (void)evidence_of(*ledger, 1);
        (void)is_acknowledged(*ledger, 1);
        (void)unacknowledged_files(*ledger, stamp().at);
        (void)open_causes_of_pause(*ledger);
        tell_of_the_release();
        (void)draws_waiting_for_portal(*ledger, 0, 10);
        (void)unfinished_up_to(*ledger, 0, 10);
        (void)last_full_sweep(*ledger);
        (void)newest_modified_date(*ledger, Instant());
        (void)open_exceptions(*ledger);
        (void)last_cutoff(*ledger, now);
        (void)last_run_ended_at(*ledger);
        (void)failed_runs_in_a_row(*ledger, Step::poll);
        (void)has_open_exception(*ledger, "lists of the Draws Service", "draws_missing");
        (void)newest_run(*ledger, Step::confirm, zone, parse_date("2026-03-04").value());
        (void)open_restoration(*ledger);
        (void)restored_hold(*ledger, 1);
        (void)bank_objections(*ledger, {1});
        (void)confirmed_checks(*ledger, 1);
        (void)find_reading(*ledger, 1);
        (void)first_file_of_run(*ledger, 1);
        (void)voided_file_names(*ledger);
        (void)recalled_file_names(*ledger);
        (void)export_line(*ledger, 1);
        (void)knows_export(*ledger, 1, "x");
        (void)last_scheduled_backup(*ledger);
        write_high_water_mark(*ledger);
        (void)last_runs(*ledger);
        (void)state_totals(*ledger);
        (void)seen_total(*ledger);
        ledger->transaction([&] { return delete_idle_runs(*ledger, now, 10); });
        (void)last_checked(*ledger);
        (void)is_paused(*ledger);
        (void)exceptions_of_draw(*ledger, 1);
        (void)find_draw(*ledger, 1);
        (void)timeline(*ledger, 1);
        // The slices of the reconciliation report, without its counts over everything.
        const reconciliation::Period period{parse_date("2026-03-04").value(), parse_date("2026-03-04").value(), now};
        (void)facts_of_draws(*ledger, 0, 10, period, zone);
        (void)facts_of_bank_lines(*ledger, 0, 10, period);
        (void)facts_of_payment_files(*ledger, 0, 10, period, zone);
        (void)facts_of_exceptions(*ledger, 0, 10, period);
        (void)last_sweep(*ledger);
        (void)return_rates(*ledger, now);
        look_for_alerts();
    }

    void look_for_alerts() {
        (void)exceptions_to_alert(*ledger, 10);
        (void)was_alerted(*ledger, AlertSource::file, 1);
        (void)open_corrections(*ledger, parse_date("2026-03-04").value(), parse_date("2026-03-05").value());
        (void)unconfirmed_payments(*ledger, now);
        (void)is_anything_confirmed_since(*ledger, now);
        ledger->transaction([&] {
            const auto id = record_alert(*ledger, {"digest", AlertSource::digest, {1}, "title", "text", "[]"},
                                         {AlertChannel::webhook, AlertChannel::email}, stamp());
            EXPECT_EQ(id, 1);
            record_failed_send(*ledger, 1, "down", now);
            close_alert_send(*ledger, 1, SendOutcome::sent, now);
            EXPECT_EQ(drop_alert_sends(*ledger, AlertChannel::webhook, now), 0);
        });
        EXPECT_EQ(open_alert_sends(*ledger, AlertChannel::email, 1).size(), 1U);
        EXPECT_EQ(waiting_alerts(*ledger).size(), 1U);
        (void)last_invariant_checks(*ledger);
        (void)exception_totals(*ledger);
        for (const auto& entry : journal_since(*ledger, 0, 1000))
            (void)references_of(*ledger, entry);
    }
};

TEST_F(QueryPlan, has_no_full_table_scan) {
    ABOUT_THE_FILE();
    read(test::sample_draw(1, DrawStatus::pending_approval));
    decide(1, /*approve=*/true);
    answer(submit().front(), ApprovalOutcome::approved);
    read(test::sample_draw(1, DrawStatus::approved));
    ledger->transaction([&] { enable_write_back(*ledger, {disbursement::WriteBackEvent::export_}, stamp()); });
    pay();
    read(test::sample_draw(2, DrawStatus::pending_approval));
    confirm({{2, "999999999999999", ConfirmationKind::paid, Money::from_cents(1), parse_date("2026-03-04").value()}});
    ASSERT_EQ(open_write_backs(*ledger).size(), 1U);
    // Without statistics SQLite plans for large tables.
    run_a_cycle();
    const auto statements = ledger->connection().statement_texts();
    ASSERT_GT(statements.size(), 25U);
    for (const auto& statement : statements) {
        const std::string sql = std::regex_replace(statement, std::regex("(--[^\n]*|\\s)+"), " ");
        // One row from an end of the primary key, which the plan shows as a scan.
        if (sql.ends_with("FROM person_role LIMIT 1") || sql.ends_with("ORDER BY control_id DESC LIMIT 1") ||
            sql.ends_with("FROM draw ORDER BY draw_id DESC LIMIT 1") || sql.ends_with("ORDER BY sweep_id DESC LIMIT 1"))
            continue;
        EXPECT_THAT(scans(statement), ::testing::IsEmpty()) << statement;
    }
}

// A page of a file's payments does not pass over those before it, however many are in one batch.
TEST_F(QueryPlan, a_page_of_payments_begins_behind_the_page_before) {
    ABOUT_THE_FILE();
    (void)load_payments(*ledger, 1, {1, 1}, 10);
    (void)paid_draws(*ledger, 1, {1, 1}, 10);
    (void)RowsDigest(*ledger, 1).read_some(10);
    int statements = 0;
    for (const auto& sql : ledger->connection().statement_texts()) {
        if (!sql.contains("FROM payment WHERE file_id")) continue;
        ++statements;
        SQLite::Statement plan(ledger->connection().db.sqlite(), "EXPLAIN QUERY PLAN " + sql);
        std::string steps;
        while (plan.executeStep())
            steps += plan.getColumn(3).getString() + "\n";
        const bool is_of_batch = sql.contains("payment_id > ?");
        EXPECT_THAT(
            steps, ::testing::ContainsRegex(is_of_batch ? "batch_number=. AND (payment_id|rowid)>." : "batch_number>."))
            << sql;
        EXPECT_THAT(steps, ::testing::Not(::testing::HasSubstr("TEMP B-TREE"))) << sql;
    }
    EXPECT_EQ(statements, 4);
}

TEST_F(QueryPlan, the_check_detects_a_scan) {
    ABOUT_THE_FILE();
    EXPECT_THAT(scans("SELECT * FROM draw_content WHERE description = 'x'"), ::testing::SizeIs(1));
    EXPECT_THAT(scans("SELECT count(*) FROM settlement WHERE kind = 'returned'"), ::testing::SizeIs(1))
        << "an index of all rows";
}

}  // namespace
}  // namespace drawbridge::ledger
