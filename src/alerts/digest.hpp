// The daily digest: what needs a person first, then where everything stands. Private to this module.
#pragma once

#include "drawbridge/domain/time.hpp"
#include "drawbridge/ledger/alerts.hpp"

namespace drawbridge::alerts {

// For the local day of `now`.
[[nodiscard]] ledger::NewAlert daily_digest(ledger::Ledger& ledger, const TimeZone& zone, Instant now);

}  // namespace drawbridge::alerts
