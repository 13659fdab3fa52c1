// The daily digest: what needs a person, then the draws by state and the last runs. Private to this module.
#pragma once

#include "drawbridge/domain/time.hpp"
#include "drawbridge/ledger/facts/alerts.hpp"

namespace drawbridge::alerts {

// For the business day that `now` falls on in `zone`.
[[nodiscard]] ledger::NewAlert daily_digest(ledger::Ledger& ledger, const TimeZone& zone, Instant now);

}  // namespace drawbridge::alerts
