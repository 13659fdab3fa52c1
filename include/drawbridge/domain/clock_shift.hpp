// How far an end-to-end test moves the whole program's clock forward.
//
// The product links crash_points_off.cpp, where the shift is always zero and nothing is read. Only the test program
// `drawbridge-crash` links crash_points_on.cpp, which reads the number of seconds from DRAWBRIDGE_CLOCK_SHIFT.
#pragma once

#include <chrono>

namespace drawbridge {

[[nodiscard]] std::chrono::seconds clock_shift();

}  // namespace drawbridge
