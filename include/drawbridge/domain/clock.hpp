// The one place where the program learns the time. Only the shell holds a Clock; core code is given instants.
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
