// Runs of the steps, cut-offs served, and the switch that stops all movement of money.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/steps.hpp"
#include "drawbridge/ledger/ledger.hpp"

namespace drawbridge::ledger {

struct StepRun {
    Step step = Step::poll;
    Instant started_at;
    Instant ended_at;
    bool ok = true;
    std::string summary;  // one line for people
    bool changed = true;  // anything in the ledger but this record
};

void record_run(Ledger& ledger, const StepRun& run);
// Grows with each row that is written, but for those of runs and sweeps: the same before and after, nothing changed.
[[nodiscard]] std::int64_t changes_made(Ledger& ledger);

// Runs that changed nothing and polls that found nothing are of no use to anybody after so long.
inline constexpr std::chrono::days idle_run_retention{90};
// Forgets those that ended before, at most so many of each; how many it forgot. Never the newest of a step, the newest
// that went well or failed, or what the next poll begins from; nothing while a ledger that was put back is compared.
int delete_idle_runs(Ledger& ledger, Instant ended_before, int limit);
// The newest run of a step; nullopt: it never ran.
[[nodiscard]] std::optional<StepRun> last_run(Ledger& ledger, Step step);
// The newest run of a step, and when it last went well.
struct LastRuns {
    StepRun last;
    std::optional<Instant> last_ok;
};
// Of each step that ever ran, in the order of the steps.
[[nodiscard]] std::vector<LastRuns> last_runs(Ledger& ledger);

void record_cutoff(Ledger& ledger, Instant cutoff, Instant served_at);
// The newest cut-off that was served. One that lies after `now` was served while the clock ran ahead, and does not
// count.
[[nodiscard]] std::optional<Instant> last_cutoff(Ledger& ledger, Instant now);
// When the newest run of any step ended.
[[nodiscard]] std::optional<Instant> last_run_ended_at(Ledger& ledger);
// Polls that failed since the last one that went well.
[[nodiscard]] int failed_polls_in_a_row(Ledger& ledger);

struct Movement {
    bool paused = false;
    Instant since;
    std::string by;
    std::string reason;
};
// nullopt: never paused.
[[nodiscard]] std::optional<Movement> movement(Ledger& ledger);
[[nodiscard]] bool is_paused(Ledger& ledger);
// What paused everything by itself and is not settled: ids of open exceptions, whoever holds the switch now.
[[nodiscard]] std::vector<std::int64_t> open_causes_of_pause(Ledger& ledger);
// Whether this person may let money move although such an exception is open. Errors: nobody in particular; the one who
// paused; one who had a hand in the draw or the file that such an exception is about.
[[nodiscard]] Result<void> check_may_override_pause(Ledger& ledger, const Stamp& stamp);
void set_paused(Ledger& ledger, bool paused, std::string_view reason, const Stamp& stamp);

}  // namespace drawbridge::ledger
