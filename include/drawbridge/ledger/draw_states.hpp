// The state of each draw, derived by one view; totals, lists and the timeline of a draw.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/draw.hpp"
#include "drawbridge/ledger/ledger.hpp"

namespace drawbridge::ledger {

// In the usual order of a draw's life.
inline constexpr std::string_view state_names[] = {"pending",  "held",     "approving", "approved",
                                                   "blocked",  "paying",   "paid",      "disbursed",
                                                   "reported", "returned", "cancelled", "external"};
[[nodiscard]] bool is_state(std::string_view name);

struct StateTotal {
    std::string state;
    std::int64_t count = 0;
    Money amount;
    std::int64_t without_amount = 0;  // draws whose amounts are all NULL
    std::optional<Instant> oldest;    // the oldest among the draws' newest readings
};
// One row for each state, including empty ones.
[[nodiscard]] std::vector<StateTotal> state_totals(Ledger& ledger);
// Every draw ever seen; `state` is "seen". These totals and those by state are kept current with the facts, so they
// cost the same whatever the size of the ledger. `verify` recounts both.
[[nodiscard]] StateTotal seen_total(Ledger& ledger);

struct DrawRow {
    DrawId draw_id = 0;
    std::string state;
    DrawStatus status = DrawStatus::not_submitted;
    std::optional<Money> amount;
    std::int64_t workflow_id = 0;
    std::optional<std::string> case_name;
    Instant since;
    std::string why;  // the reason, for held and blocked
};
struct DrawFilter {
    std::optional<std::string> state;
    DrawId after_id = 0;
    int limit = 1000;
};
[[nodiscard]] std::vector<DrawRow> list_draws(Ledger& ledger, const DrawFilter& filter);
[[nodiscard]] std::optional<DrawRow> find_draw(Ledger& ledger, DrawId id);

// Everything recorded about one draw, oldest first.
struct TimelineEntry {
    Instant at;
    std::string what;    // "reading", "decision", "approval", "payment", "confirmation", "patch", "exception"
    std::string detail;  // one line; account numbers masked
};
[[nodiscard]] std::vector<TimelineEntry> timeline(Ledger& ledger, DrawId id);

}  // namespace drawbridge::ledger
