// How far tests have set the clock: of the whole program, in an end-to-end test.
//
// The product links crash_points_off.cpp, where it is always zero and reads nothing. Only the test program
// `drawbridge-crash` links crash_points_on.cpp: DRAWBRIDGE_CLOCK_SHIFT in the environment is so many seconds.
#pragma once

#include <chrono>

namespace drawbridge {

[[nodiscard]] std::chrono::seconds clock_shift();

}  // namespace drawbridge
