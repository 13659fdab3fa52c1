// Checks after they have gone out: orders to void or stop them, and stale checks. Part of the pay step; the files that
// it plans go through the states of every payment file.
#pragma once

#include <cstdint>
#include <string_view>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/ledger/facts/check_orders.hpp"
#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::pipeline {

struct CheckOrdersReport {
    std::int64_t planned = 0, exceptions = 0, stale = 0;  // in this run
};

// Raises and closes exceptions for stale checks, and plans files for orders that are in none. Plans nothing while the
// ledger is paused.
CheckOrdersReport plan_check_orders(Context& context);

// A person's order; the next run of pay plans the file. Errors: as ledger::order_check; the layout has no code for the
// action; the action makes no sense for a check that is not issued.
[[nodiscard]] Result<void> order_check(Context& context, std::int64_t check_number, checks::CheckAction action,
                                       std::string_view reason, const ledger::Stamp& stamp);

// Checks dated on or before this day are stale.
[[nodiscard]] BusinessDate stale_until(const config::Config& config, Instant now);

}  // namespace drawbridge::pipeline
