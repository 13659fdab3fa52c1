#include "payment_timeline.hpp"

#include <algorithm>

namespace drawbridge::reconciliation {
namespace {

BusinessDate day_of(const SettledFact& fact, const TimeZone& zone) {
    return std::min(fact.on, zone.date_of(fact.recorded_at));
}

}  // namespace

PaymentTimeline::PaymentTimeline(const PaymentFacts& payment, const TimeZone& zone)
    : made_on(zone.date_of(payment.made_at)) {
    if (payment.paid) paid_on = std::max(made_on, day_of(*payment.paid, zone));
    if (paid_on && payment.reported_at) reported_on = std::max(*paid_on, zone.date_of(*payment.reported_at));
    if (payment.returned) {
        ended_on = day_of(*payment.returned, zone);
    } else if (payment.voided) {
        ended_on = day_of(*payment.voided, zone);
    } else if (payment.ended_at || payment.file_voided_at) {
        ended_on = zone.date_of(payment.ended_at ? *payment.ended_at : *payment.file_voided_at);
    }
    if (ended_on) ended_on = std::max(*ended_on, paid_on.value_or(made_on));
    // Reported to the service after the day of the return: the return came first.
    if (ended_on && reported_on && *ended_on < *reported_on) reported_on.reset();
}

Bucket PaymentTimeline::bucket_at(BusinessDate day) const {
    if (ended_on && *ended_on <= day) return Bucket::out;
    if (reported_on && *reported_on <= day) return Bucket::reported;
    if (paid_on && *paid_on <= day) return Bucket::confirmed;
    return made_on <= day ? Bucket::in_flight : Bucket::none;
}

std::vector<PaymentTransition> transitions_of(const PaymentFacts& payment, const TimeZone& zone) {
    const PaymentTimeline timeline(payment, zone);
    std::vector<PaymentTransition> transitions = {{timeline.made_on, Bucket::none, Bucket::in_flight}};
    if (timeline.paid_on) transitions.push_back({*timeline.paid_on, Bucket::in_flight, Bucket::confirmed});
    if (timeline.reported_on) transitions.push_back({*timeline.reported_on, Bucket::confirmed, Bucket::reported});
    if (timeline.ended_on) transitions.push_back({*timeline.ended_on, transitions.back().to, Bucket::out});
    return transitions;
}

}  // namespace drawbridge::reconciliation
