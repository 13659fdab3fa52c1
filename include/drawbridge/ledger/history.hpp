// What the rules ask of the past: other draws, approvals that limits count, runs of the decide stage.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "drawbridge/ledger/ledger.hpp"
#include "drawbridge/rules/history.hpp"

namespace drawbridge::ledger {

// Draws as they were last read, but for cancelled ones. `field`: caseId, requestedBy, workflowId or a text field.
[[nodiscard]] std::vector<rules::PastDraw> past_draws(Ledger& ledger, const DrawField& field, const FieldValue& value,
                                                      Instant since);

// Goes on with the run that was cut off, or begins a new one.
struct DecideRun {
    std::int64_t id = 0;
    Instant started_at;
};
DecideRun begin_decide_run(Ledger& ledger, Instant now);
// One that was cut off.
[[nodiscard]] std::optional<DecideRun> open_decide_run(Ledger& ledger);
void end_decide_run(Ledger& ledger, const DecideRun& run, Instant now);

// Approvals by a rule since `since` that were carried out, are under way or are about to be; of a draw the newest one.
// What the service refused, what came to nothing and what was decided anew is none. `run`: 0 for none.
[[nodiscard]] std::vector<rules::Use> limit_uses(Ledger& ledger, Instant since, std::int64_t run);

// The whole of it, for decisions at `now`. It asks the ledger while it is used. Uses are read only for rules with
// limits.
[[nodiscard]] rules::History history_for(Ledger& ledger, const rules::RuleSet& rules, const DrawField* payee_key,
                                         Instant now, const TimeZone& zone, const DecideRun& run = {});

}  // namespace drawbridge::ledger
