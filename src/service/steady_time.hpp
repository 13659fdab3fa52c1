// The clock for deadlines and delays: it never jumps and has no date.
#pragma once

#include <chrono>

namespace drawbridge::service {

using SteadyClock = std::chrono::steady_clock;
using SteadyTime = SteadyClock::time_point;
using std::chrono::milliseconds;

}  // namespace drawbridge::service
