#include "drawbridge/ledger/store/lease.hpp"

#include <algorithm>

#include "drawbridge/ledger/store/engine.hpp"
#include "store/connection.hpp"
#include "store/postgresql/schema.hpp"

namespace drawbridge::ledger {
namespace {

void renew(Ledger& ledger) {
    DRAWBRIDGE_ASSERT(!ledger.connection().in_transaction, "a lease is renewed outside transactions");
    postgresql::renew_lease(ledger.connection().db.postgresql(), ledger.connection().epoch);
    ledger.connection().acts_from = postgresql::BootTime(0);
}

}  // namespace

Effect::Effect(Ledger& ledger) : ledger_(ledger) {
    if (!is_in_postgresql(ledger_)) return;
    DRAWBRIDGE_ASSERT(time_until_acting(ledger_).count() == 0, "nothing is begun before the wait is over");
    lease_ = ledger_.connection().db.postgresql().lease();
    keep();
    lease_->begin_effect();
}

Effect::~Effect() {
    if (lease_) lease_->end_effect();
}

void Effect::keep() {
    if (!lease_) return;
    const bool has_waited = ledger_.connection().acts_from.count() != 0;
    if (has_waited || lease_->is_older_than(lease_renewal)) renew(ledger_);
}

std::chrono::milliseconds time_until_acting(const Ledger& ledger) {
    const auto left = ledger.connection().acts_from - postgresql::boot_time();
    return std::max(std::chrono::milliseconds(0), std::chrono::ceil<std::chrono::milliseconds>(left));
}

void begin_acting(Ledger& ledger) {
    if (!is_in_postgresql(ledger) || ledger.connection().acts_from.count() == 0) return;
    DRAWBRIDGE_ASSERT(time_until_acting(ledger).count() == 0, "nobody acts before the wait is over");
    renew(ledger);
}

std::int64_t slow_commits(Ledger& ledger) {
    return is_in_postgresql(ledger) ? ledger.connection().db.postgresql().lease()->slow_commits() : 0;
}

const std::string& predecessor(const Ledger& ledger) {
    return ledger.connection().predecessor;
}

}  // namespace drawbridge::ledger
