#include "drawbridge/ledger/facts/runs.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>

#include "drawbridge/ledger/facts/restorations.hpp"
#include "ledger/ledger_fixture.hpp"
#include "store/connection.hpp"
#include "support/program.hpp"

namespace drawbridge::ledger {
namespace {

using std::chrono::days;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Runs : public LedgerFixture {
  protected:
    void run(Step step, Instant at, bool ok, bool changed, const std::string& summary = "ran") {
        ledger->transaction([&] { record_run(*ledger, {step, at, at, ok, summary, changed}); });
    }
    void sweep(Instant at, bool full, std::int64_t changed, std::optional<Instant> newest = std::nullopt) {
        ledger->transaction([&] { record_sweep(*ledger, {at, at, full, 10, changed, newest}); });
    }
    int forget(int limit = 1000) {
        return ledger->transaction([&] { return delete_idle_runs(*ledger, now - idle_run_retention, limit); });
    }
    std::int64_t rows(const std::string& table) {
        return ledger->connection().db.integer("SELECT count(*) FROM " + table);
    }
    Instant old() const { return now - days(121); }
};

// What the pages promise: for auditors, and of pay.payee_hold, which cannot ask for days that are forgotten.
TEST_F(Runs, are_kept_as_long_as_the_pages_say) {
    const auto page = [](const std::string& name) { return test::read_whole(DRAWBRIDGE_SOURCE_DIR "/docs/" + name); };
    const auto kept = idle_run_retention.count();
    EXPECT_THAT(page("auditors.md"), HasSubstr(fmt::format("After {} days, the ledger deletes only", kept)));
    EXPECT_THAT(page("configuration.md"),
                HasSubstr(fmt::format("(at most {} days: runs are kept for {})", kept - 1, kept)));
}

TEST_F(Runs, that_changed_nothing_are_deleted_after_120_days) {
    run(Step::poll, old(), true, false);
    run(Step::poll, old(), true, true);
    run(Step::poll, now - days(119), true, false);
    EXPECT_EQ(forget(), 1);
    EXPECT_EQ(rows("step_run"), 2);
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(Runs, keep_the_newest_of_each_step_and_outcome_however_old) {
    for (const Step step : all_steps) {
        for (const bool ok : {true, false, true, false})
            run(step, old(), ok, false);
    }
    EXPECT_EQ(forget(), 14);
    for (const auto& last : last_runs(*ledger)) {
        EXPECT_FALSE(last.last.ok) << to_string(last.last.step);
        EXPECT_EQ(last.last_ok, old()) << to_string(last.last.step);
    }
}

TEST_F(Runs, are_listed_by_step_with_the_newest_and_the_last_success) {
    EXPECT_THAT(last_runs(*ledger), IsEmpty());
    EXPECT_FALSE(last_run(*ledger, Step::deliver));
    for (const Step step : all_steps)
        run(step, now, true, false, "first");
    run(Step::deliver, now + std::chrono::minutes(1), false, false, "second");
    run(Step::pay, now + std::chrono::minutes(1), false, false, "second");
    run(Step::pay, now + std::chrono::minutes(2), true, false, "third");
    const auto runs = last_runs(*ledger);
    ASSERT_EQ(runs.size(), all_steps.size());
    for (std::size_t i = 0; i < runs.size(); ++i) {
        EXPECT_EQ(runs[i].last.step, all_steps[i]);
        const bool failed = all_steps[i] == Step::deliver;
        EXPECT_EQ(runs[i].last.ok, !failed);
        const bool is_pay = all_steps[i] == Step::pay;
        EXPECT_EQ(runs[i].last.summary, failed ? "second" : is_pay ? "third" : "first");
        EXPECT_EQ(runs[i].last_ok, is_pay ? now + std::chrono::minutes(2) : now);
    }
    EXPECT_EQ(last_run(*ledger, Step::deliver)->summary, "second");
}

TEST_F(Runs, of_a_step_that_never_succeeded_have_no_success) {
    run(Step::deliver, now, false, false);
    const auto runs = last_runs(*ledger);
    ASSERT_EQ(runs.size(), 1U);
    EXPECT_FALSE(runs[0].last.ok);
    EXPECT_EQ(runs[0].last_ok, std::nullopt);
}

TEST_F(Runs, are_deleted_in_batches) {
    for (int i = 0; i < 11; ++i)
        run(Step::poll, old() + std::chrono::seconds(i), true, false);
    EXPECT_EQ(forget(4), 4);
    EXPECT_EQ(forget(40), 6);
    EXPECT_EQ(forget(40), 0);
}

TEST_F(Runs, idle_polls_are_deleted_except_the_one_where_the_next_starts) {
    sweep(old(), /*full=*/true, 0);
    sweep(old(), /*full=*/false, 5, old());
    sweep(old(), /*full=*/false, 0);
    sweep(old(), /*full=*/false, 0, old() - days(1));
    sweep(old(), /*full=*/false, 0, old() + days(1));  // the newest modification
    sweep(old(), /*full=*/false, 0);                   // the newest sweep
    EXPECT_EQ(forget(), 2);
    EXPECT_EQ(newest_modified_date(*ledger, old() + days(2)), old() + days(1));
    EXPECT_TRUE(last_full_sweep(*ledger));
    EXPECT_EQ(rows("poll_sweep"), 4);
}

TEST_F(Runs, stay_while_a_restored_ledger_is_compared) {
    for (int i = 0; i < 3; ++i)
        run(Step::poll, old(), true, false);
    ledger->transaction([&] { begin_restoration(*ledger, RestoredHow::restored, "from a copy", stamp()); });
    EXPECT_EQ(forget(), 0);
}

TEST_F(Runs, that_changed_something_can_never_be_deleted) {
    run(Step::poll, old(), true, true);
    sweep(old(), /*full=*/false, 1);
    EXPECT_ANY_THROW(ledger->connection().db.exec("DELETE FROM step_run"));
    EXPECT_ANY_THROW(ledger->connection().db.exec("DELETE FROM poll_sweep"));
    EXPECT_ANY_THROW(ledger->connection().db.exec("UPDATE step_run SET changed = 0"));
}

TEST_F(Runs, and_sweeps_do_not_count_as_changes) {
    const auto before = changes_made(*ledger);
    run(Step::poll, now, true, false);
    sweep(now, /*full=*/false, 0);
    EXPECT_EQ(changes_made(*ledger), before);
    read(test::sample_draw(1, DrawStatus::pending_approval));
    EXPECT_GT(changes_made(*ledger), before);
}

}  // namespace
}  // namespace drawbridge::ledger
