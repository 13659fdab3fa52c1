// Monitors the return rates of our entries. Private to this module.
#pragma once

#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::pipeline {

// Raises return_rate_high for each class of returns above Nacha's limit, and closes it once the rate is below.
void watch_return_rates(Context& context);

}  // namespace drawbridge::pipeline
