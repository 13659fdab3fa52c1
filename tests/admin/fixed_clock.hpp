// A clock that always returns the time at which most test ledgers are used, unless a test sets another one.
#pragma once

#include "drawbridge/domain/clock.hpp"
#include "support/samples.hpp"

namespace drawbridge::admin {

class FixedClock final : public Clock {
  public:
    [[nodiscard]] Instant now() const override { return at; }

    Instant at = test::at("2026-03-04T15:30:00");
};

}  // namespace drawbridge::admin
