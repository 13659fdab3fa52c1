// What becomes of checks after they have gone out: orders to void or stop them, and those that nobody cashes. Part of
// the pay step; the files it plans go through the states of every payment file.
#pragma once

#include <cstdint>
#include <string_view>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/ledger/check_register.hpp"
#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::pipeline {

struct CheckOrdersReport {
    std::int64_t planned = 0, exceptions = 0, stale = 0;  // in this run
};

// Raises and closes the cases of stale checks, and plans files for the orders that stand in none. Where the ledger is
// paused nothing is planned.
CheckOrdersReport plan_check_orders(Context& context);

// A person orders it; the next run of pay plans the file. Errors: as ledger::order_check; the layout has no code for
// it; it makes no sense of a check that is not issued.
[[nodiscard]] Result<void> order_check(Context& context, std::int64_t check_number, checks::CheckAction action,
                                       std::string_view reason, const ledger::Stamp& stamp);

// Checks dated on this day or before are stale.
[[nodiscard]] BusinessDate stale_until(const TimeZone& zone, std::chrono::days stale_after, Instant now);

}  // namespace drawbridge::pipeline
