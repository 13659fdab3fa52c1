// The real time.
#pragma once

#include "drawbridge/domain/clock.hpp"

namespace drawbridge::daemon {

class SystemClock final : public Clock {
  public:
    [[nodiscard]] Instant now() const override {
        return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    }
};

}  // namespace drawbridge::daemon
