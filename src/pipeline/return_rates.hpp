// Watches how many of our entries come back. Private to this module.
#pragma once

#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::pipeline {

// Raises return_rate_high for each class whose rate is over Nacha's limit, and closes it once the rate is below.
void watch_return_rates(Context& context);

}  // namespace drawbridge::pipeline
