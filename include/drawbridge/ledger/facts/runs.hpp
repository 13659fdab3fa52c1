// Runs of the steps, cut-offs served, and the switch that pauses all money movement.
#pragma once

#include <boost/describe/class.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/steps.hpp"
#include "drawbridge/ledger/store/ledger.hpp"

namespace drawbridge::ledger {

struct StepRun {
    Step step = Step::poll;
    Instant started_at;
    Instant ended_at;
    bool ok = true;
    std::string summary;  // one line for people
    bool changed = true;  // anything in the ledger other than this row
};

void record_run(Ledger& ledger, const StepRun& run);
// Grows with every row written, except rows about runs and sweeps. Equal before and after: nothing changed.
[[nodiscard]] std::int64_t changes_made(Ledger& ledger);

// How long runs that changed nothing and polls that found nothing are kept. Longer than 60 banking days, which a credit
// may wait for (confirm_after_banking_days).
inline constexpr std::chrono::days idle_run_retention{120};
// Deletes idle runs and sweeps that ended before `ended_before`, at most `limit` of each; returns how many. Never the
// newest run of a step, the newest that succeeded or failed, or the sweep where the next poll starts; nothing while a
// restored ledger is being compared.
int delete_idle_runs(Ledger& ledger, Instant ended_before, int limit);
// The newest run of a step; nullopt: it never ran.
[[nodiscard]] std::optional<StepRun> last_run(Ledger& ledger, Step step);
// The newest run of a step, and when one last succeeded.
struct LastRuns {
    StepRun last;
    std::optional<Instant> last_ok;
};
// Every step that ever ran, in the order of the steps.
[[nodiscard]] std::vector<LastRuns> last_runs(Ledger& ledger);

using DecideRunId = std::int64_t;

// The open run of decisions: one that a crash interrupted, or a new one. In a transaction.
[[nodiscard]] DecideRunId begin_decide_run(Ledger& ledger, Instant at);
void end_decide_run(Ledger& ledger, DecideRunId run, Instant at);

void record_cutoff(Ledger& ledger, Instant cutoff, Instant served_at);
// The newest cut-off served. One after `now`, or before which a later run ended, was served while the clock ran ahead,
// and does not count.
[[nodiscard]] std::optional<Instant> last_cutoff(Ledger& ledger, Instant now);
// The newest run of the step that succeeded and ended on this day. 0: none. Runs are numbered in their order, even if
// the clock was wrong.
[[nodiscard]] std::int64_t newest_run(Ledger& ledger, Step step, const TimeZone& zone, BusinessDate day);
// The newest such run of any step.
[[nodiscard]] std::int64_t newest_run(Ledger& ledger, const TimeZone& zone, BusinessDate day);
// When the newest run of any step ended.
[[nodiscard]] std::optional<Instant> last_run_ended_at(Ledger& ledger);
// Failed runs of the step since the last that succeeded.
[[nodiscard]] int failed_runs_in_a_row(Ledger& ledger, Step step);

struct Movement {
    bool paused = false;
    Instant since;
    std::string by;
    std::string reason;
};
BOOST_DESCRIBE_STRUCT(Movement, (), (since, by, reason))
// nullopt: never paused.
[[nodiscard]] std::optional<Movement> movement(Ledger& ledger);
[[nodiscard]] bool is_paused(Ledger& ledger);
// Ids of open exceptions that paused all movement automatically, no matter who set the switch since.
[[nodiscard]] std::vector<std::int64_t> open_causes_of_pause(Ledger& ledger);
// The first open exception about acts or files that a restored ledger does not know: nobody overrides it.
[[nodiscard]] std::optional<std::int64_t> open_loss_by_restore(Ledger& ledger);
// Whether this person may resume movement while such an exception is open. Errors: a loss by a restore is open; the uid
// identifies no particular person; the person who paused; a person with a hand in the draw or file of such an
// exception.
[[nodiscard]] Result<void> check_may_override_pause(Ledger& ledger, const Stamp& stamp);
void set_paused(Ledger& ledger, bool paused, std::string_view reason, const Stamp& stamp);

}  // namespace drawbridge::ledger
