// Which cut-off is due. Pure functions.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "drawbridge/domain/banking_calendar.hpp"
#include "drawbridge/domain/time.hpp"

namespace drawbridge::disbursement {

struct CutoffPlan {
    TimeZone zone;
    std::vector<std::chrono::minutes> times;  // local, ascending
    BankingCalendar calendar;
};

// Today's newest cut-off (in the plan's zone, banking days only) that has passed and is newer than `last_served`.
// Cut-offs before `ledger_created_at` do not count. A `last_served` or `ledger_created_at` after `now` comes from a
// clock that ran ahead and is ignored. Missed cut-offs of earlier days are not caught up: today's run pays their draws.
[[nodiscard]] std::optional<Instant> due_cutoff(const CutoffPlan& plan, std::optional<Instant> last_served,
                                                Instant ledger_created_at, Instant now);

// The first cut-off after `now`. nullopt: no cut-offs are configured.
[[nodiscard]] std::optional<Instant> next_cutoff(const CutoffPlan& plan, Instant now);

// Why the next cut-off is not today. Empty: it is today.
[[nodiscard]] std::string why_not_today(const CutoffPlan& plan, Instant now);

}  // namespace drawbridge::disbursement
