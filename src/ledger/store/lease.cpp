#include "drawbridge/ledger/store/lease.hpp"

#include <algorithm>

#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

postgresql::Lease& lease_of(Ledger& ledger) {
    return ledger.connection().db.postgresql().lease();
}

void renew(Ledger& ledger) {
    DRAWBRIDGE_ASSERT(!ledger.connection().in_transaction, "a lease is renewed outside transactions");
    postgresql::renew_lease(ledger.connection().db.postgresql(), ledger.connection().epoch);
}

}  // namespace

bool has_lease(const Ledger& ledger) {
    return ledger.connection().db.is_postgresql();
}

Effect::Effect(Ledger& ledger) : ledger_(ledger) {
    if (!has_lease(ledger_)) return;
    keep();
    lease_of(ledger_).begin_effect();
}

Effect::~Effect() {
    if (has_lease(ledger_)) lease_of(ledger_).end_effect();
}

void Effect::keep() {
    if (has_lease(ledger_) && lease_of(ledger_).is_older_than(lease_renewal)) renew(ledger_);
}

std::chrono::milliseconds time_until_acting(const Ledger& ledger) {
    const auto left = ledger.connection().acts_from - postgresql::boot_time();
    return std::max(std::chrono::milliseconds(0), std::chrono::ceil<std::chrono::milliseconds>(left));
}

void give_up_lease(Ledger& ledger) {
    if (!has_lease(ledger)) return;
    DRAWBRIDGE_ASSERT(lease_of(ledger).effects() == 0, "nothing is on its way");
    postgresql::give_up_lease(ledger.connection().db.postgresql(), ledger.connection().epoch);
}

}  // namespace drawbridge::ledger
