// Whether this machine's clock can be believed. Private to this module.
#pragma once

#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::pipeline {

// Raises `clock_went_back` and `clock_leapt`.
void check_clock(Context& context);

// A person has not yet said that the clock is right after it leapt ahead. What a day's limits allow may count a day
// that has not passed.
[[nodiscard]] bool is_clock_in_doubt(Context& context);

}  // namespace drawbridge::pipeline
