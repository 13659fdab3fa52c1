// The system's real-time clock.
#pragma once

#include "drawbridge/domain/clock.hpp"
#include "drawbridge/domain/clock_shift.hpp"

namespace drawbridge::daemon {

class SystemClock final : public Clock {
  public:
    [[nodiscard]] Instant now() const override {
        return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()) + clock_shift();
    }
};

}  // namespace drawbridge::daemon
