// Runs of the stages, cut-offs served, and the switch that stops all movement of money.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/ledger/ledger.hpp"

namespace drawbridge::ledger {

struct StageRun {
    std::string stage;
    Instant started_at;
    Instant ended_at;
    bool ok = true;
    std::string summary;  // one line for people
};

void record_run(Ledger& ledger, const StageRun& run);
// The newest run of each stage, and the newest one that went well.
struct LastRuns {
    std::string stage;
    StageRun last;
    std::optional<Instant> last_ok;
};
[[nodiscard]] std::vector<LastRuns> last_runs(Ledger& ledger);

void record_cutoff(Ledger& ledger, Instant cutoff, Instant served_at);
[[nodiscard]] std::optional<Instant> last_cutoff(Ledger& ledger);

struct Movement {
    bool paused = false;
    Instant since;
    std::string by;
    std::string reason;
};
// nullopt: never paused.
[[nodiscard]] std::optional<Movement> movement(Ledger& ledger);
[[nodiscard]] bool is_paused(Ledger& ledger);
void set_paused(Ledger& ledger, bool paused, std::string_view reason, const Stamp& stamp);

}  // namespace drawbridge::ledger
