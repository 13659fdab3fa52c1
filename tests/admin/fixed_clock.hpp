// A clock that always returns the time at which most test ledgers are used.
#pragma once

#include "drawbridge/domain/clock.hpp"
#include "support/samples.hpp"

namespace drawbridge::admin {

class FixedClock final : public Clock {
  public:
    [[nodiscard]] Instant now() const override { return test::at("2026-03-04T15:30:00"); }
};

}  // namespace drawbridge::admin
