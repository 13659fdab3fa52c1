// Whether this machine's clock can be believed. Private to this module.
#pragma once

#include <optional>
#include <string>

#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::pipeline {

// Raises `clock_went_back`, `clock_leapt` and `clock_differs`.
void check_clock(Context& context);

// The clock went back or leapt ahead and no person has said yet that it is right, or the Draws Service's shows another
// time: what a day's limits allow may count a day that has not passed. nullopt: not in doubt.
[[nodiscard]] std::optional<std::string> why_clock_is_in_doubt(Context& context);

}  // namespace drawbridge::pipeline
