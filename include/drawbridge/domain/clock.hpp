// The program's only source of time. Only the shell has a Clock; core code receives instants.
#pragma once

#include <chrono>

#include "drawbridge/domain/time.hpp"

namespace drawbridge {

class Clock {
  public:
    Clock() = default;
    Clock(const Clock&) = delete;
    Clock& operator=(const Clock&) = delete;
    virtual ~Clock() = default;
    [[nodiscard]] virtual Instant now() const = 0;
    // Time that passes however the clock is set: only differences between two readings mean something. By default, that
    // of a clock that nobody sets.
    [[nodiscard]] virtual std::chrono::nanoseconds elapsed() const { return now().time_since_epoch(); }
};

}  // namespace drawbridge
