// Waiting times that are measured from a recorded instant.
#pragma once

#include <chrono>

#include "drawbridge/domain/time.hpp"

namespace drawbridge {

// Whether `wait` has passed since `since`. A recorded time in the future comes from a clock that ran ahead: it is no
// schedule, and nothing waits for it.
[[nodiscard]] inline bool has_elapsed(Instant since, std::chrono::milliseconds wait, Instant now) {
    return since > now || now - since >= wait;
}

}  // namespace drawbridge
