// The system's real-time clock.
#pragma once

#include <ctime>

#include "drawbridge/domain/clock.hpp"
#include "drawbridge/domain/clock_shift.hpp"

namespace drawbridge::daemon {

class SystemClock final : public Clock {
  public:
    [[nodiscard]] Instant now() const override {
        return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()) + clock_shift();
    }
    [[nodiscard]] std::chrono::nanoseconds elapsed() const override {
        std::timespec since_boot{};
        ::clock_gettime(CLOCK_BOOTTIME, &since_boot);
        return std::chrono::seconds(since_boot.tv_sec) + std::chrono::nanoseconds(since_boot.tv_nsec);
    }
};

}  // namespace drawbridge::daemon
