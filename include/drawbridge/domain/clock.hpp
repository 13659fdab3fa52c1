// The program's only source of time. Only the shell has a Clock; core code receives instants.
#pragma once

#include "drawbridge/domain/time.hpp"

namespace drawbridge {

class Clock {
  public:
    Clock() = default;
    Clock(const Clock&) = delete;
    Clock& operator=(const Clock&) = delete;
    virtual ~Clock() = default;
    [[nodiscard]] virtual Instant now() const = 0;
};

}  // namespace drawbridge
