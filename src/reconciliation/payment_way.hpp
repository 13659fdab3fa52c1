// The days on which a payment moved on: made, paid by the bank, reported to the service, ended. Private to this module.
#pragma once

#include <optional>

#include "drawbridge/reconciliation/lines.hpp"

namespace drawbridge::reconciliation {

// The bank's day counts, but no later than the day on which it was recorded, and no step before the one that it
// follows.
struct PaymentWay {
    PaymentWay(const PaymentFacts& payment, const TimeZone& zone);

    [[nodiscard]] Bucket pot_at(BusinessDate day) const;

    BusinessDate made_on;
    std::optional<BusinessDate> paid_on, reported_on, ended_on;
};

}  // namespace drawbridge::reconciliation
