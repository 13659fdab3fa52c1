// Waiting times measured from a recorded instant.
#pragma once

#include <chrono>

#include "drawbridge/domain/time.hpp"

namespace drawbridge {

// Whether `wait` has passed since `since`. A recorded time in the future comes from a clock that ran ahead. It is not a
// schedule: the result is true.
[[nodiscard]] inline bool has_elapsed(Instant since, std::chrono::milliseconds wait, Instant now) {
    return since > now || now - since >= wait;
}

}  // namespace drawbridge
