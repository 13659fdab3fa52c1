#include "drawbridge/ledger/runs.hpp"

#include <gmock/gmock.h>

#include "connection.hpp"
#include "drawbridge/ledger/restorations.hpp"
#include "ledger/ledger_fixture.hpp"

namespace drawbridge::ledger {
namespace {

using std::chrono::days;
using ::testing::IsEmpty;

class Runs : public LedgerFixture {
  protected:
    void run(const std::string& stage, Instant at, bool ok, bool changed, const std::string& summary = "ran") {
        ledger->transaction([&] { record_run(*ledger, {stage, at, at, ok, summary, changed}); });
    }
    void sweep(Instant at, bool full, std::int64_t changed, std::optional<Instant> newest = std::nullopt) {
        ledger->transaction([&] { record_sweep(*ledger, {at, at, full, 10, changed, newest}); });
    }
    int forget(int limit = 1000) {
        return ledger->transaction([&] { return forget_idle_runs(*ledger, now - idle_runs_kept, limit); });
    }
    std::int64_t rows(const std::string& table) {
        return ledger->connection().db.execAndGet("SELECT count(*) FROM " + table).getInt64();
    }
    Instant old() const { return now - days(91); }
};

TEST_F(Runs, that_changed_nothing_are_forgotten_after_ninety_days) {
    run("poll", old(), true, false);
    run("poll", old(), true, true);
    run("poll", now - days(89), true, false);
    EXPECT_EQ(forget(), 1);
    EXPECT_EQ(rows("stage_run"), 2);
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(Runs, keep_the_newest_of_each_stage_and_outcome_however_old) {
    for (const char* stage : {"poll", "pay"}) {
        for (const bool ok : {true, false, true, false})
            run(stage, old(), ok, false);
    }
    EXPECT_EQ(forget(), 4);
    for (const auto& last : last_runs(*ledger)) {
        EXPECT_FALSE(last.last.ok) << last.stage;
        EXPECT_EQ(last.last_ok, old()) << last.stage;
    }
}

TEST_F(Runs, are_forgotten_so_many_at_a_time) {
    for (int i = 0; i < 11; ++i)
        run("poll", old() + std::chrono::seconds(i), true, false);
    EXPECT_EQ(forget(4), 4);
    EXPECT_EQ(forget(40), 6);
    EXPECT_EQ(forget(40), 0);
}

TEST_F(Runs, polls_that_found_nothing_go_but_not_what_the_next_poll_begins_from) {
    sweep(old(), /*full=*/true, 0);
    sweep(old(), /*full=*/false, 5, old());
    sweep(old(), /*full=*/false, 0);
    sweep(old(), /*full=*/false, 0, old() - days(1));
    sweep(old(), /*full=*/false, 0, old() + days(1));  // the newest modification
    sweep(old(), /*full=*/false, 0);                   // the newest sweep
    EXPECT_EQ(forget(), 2);
    EXPECT_EQ(newest_modified_date(*ledger), old() + days(1));
    EXPECT_TRUE(last_full_sweep(*ledger));
    EXPECT_EQ(rows("poll_sweep"), 4);
}

TEST_F(Runs, stay_while_a_ledger_that_was_put_back_is_compared) {
    for (int i = 0; i < 3; ++i)
        run("poll", old(), true, false);
    ledger->transaction([&] { begin_restoration(*ledger, RestoredHow::restored, "from a copy", stamp()); });
    EXPECT_EQ(forget(), 0);
}

TEST_F(Runs, that_changed_something_cannot_be_removed_by_anybody) {
    run("poll", old(), true, true);
    sweep(old(), /*full=*/false, 1);
    EXPECT_ANY_THROW(ledger->connection().db.exec("DELETE FROM stage_run"));
    EXPECT_ANY_THROW(ledger->connection().db.exec("DELETE FROM poll_sweep"));
    EXPECT_ANY_THROW(ledger->connection().db.exec("UPDATE stage_run SET changed = 0"));
}

TEST_F(Runs, and_sweeps_are_no_changes_themselves) {
    const auto before = changes_made(*ledger);
    run("poll", now, true, false);
    sweep(now, /*full=*/false, 0);
    EXPECT_EQ(changes_made(*ledger), before);
    read(test::sample_draw(1, DrawStatus::pending_approval));
    EXPECT_GT(changes_made(*ledger), before);
}

}  // namespace
}  // namespace drawbridge::ledger
