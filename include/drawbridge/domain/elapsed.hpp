// Waiting times measured from a recorded instant, and the backoff of retries.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "drawbridge/domain/time.hpp"

namespace drawbridge {

// Whether `wait` has passed since `since`. A recorded time in the future comes from a clock that ran ahead. It is not a
// schedule: the result is true.
[[nodiscard]] inline bool has_elapsed(Instant since, std::chrono::milliseconds wait, Instant now) {
    return since > now || now - since >= wait;
}

// Whether a recorded time comes from a clock that was ahead of the one that shows `now`. A small correction does not
// count.
[[nodiscard]] inline bool is_from_clock_ahead(Instant at, Instant now) {
    return at > now + std::chrono::minutes(1);
}

// The wait before the next attempt: doubled from `base` with each consecutive failure, at most `longest`.
[[nodiscard]] inline std::chrono::milliseconds backoff(int failures, std::chrono::milliseconds base,
                                                       std::chrono::milliseconds longest) {
    if (failures <= 0) return std::chrono::milliseconds(0);
    constexpr int max_doublings = 20;
    return std::min(longest, base * (std::int64_t{1} << std::min(failures - 1, max_doublings)));
}

}  // namespace drawbridge
