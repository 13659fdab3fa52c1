// The days on which a payment changed buckets: made, paid by the bank, reported to the service, ended. Private to this
// module.
#pragma once

#include <optional>

#include "drawbridge/reconciliation/lines.hpp"

namespace drawbridge::reconciliation {

// Uses the bank's day, but no later than the day it was recorded, and no transition before the previous one.
struct PaymentTimeline {
    PaymentTimeline(const PaymentFacts& payment, const TimeZone& zone);

    [[nodiscard]] Bucket bucket_at(BusinessDate day) const;

    BusinessDate made_on;
    std::optional<BusinessDate> paid_on, reported_on, ended_on;
};

}  // namespace drawbridge::reconciliation
