// Which cut-off is due. Pure: the same arguments give the same answer.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "drawbridge/domain/banking_calendar.hpp"
#include "drawbridge/domain/time.hpp"

namespace drawbridge::daemon {

struct CutoffPlan {
    TimeZone zone;
    std::vector<std::chrono::minutes> times;  // local, ascending
    BankingCalendar calendar;
};

// The newest cut-off of today (in the plan's zone, banking days only) that has passed and is newer than `last_served`.
// One that passed before `ledger_created_at` does not count. Times after `now` come from a clock that ran ahead, and
// are ignored. Older days are not made up: their draws go with today's.
[[nodiscard]] std::optional<Instant> due_cutoff(const CutoffPlan& plan, std::optional<Instant> last_served,
                                                Instant ledger_created_at, Instant now);

// The first cut-off after `now`; nullopt when there are no times.
[[nodiscard]] std::optional<Instant> next_cutoff(const CutoffPlan& plan, Instant now);

// Why the next cut-off is not today; empty: it is.
[[nodiscard]] std::string why_not_today(const CutoffPlan& plan, Instant now);

}  // namespace drawbridge::daemon
