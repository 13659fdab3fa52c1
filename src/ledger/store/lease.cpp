#include "drawbridge/ledger/store/lease.hpp"

#include <algorithm>

#include "store/connection.hpp"
#include "store/postgresql/schema.hpp"

namespace drawbridge::ledger {
namespace {

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
    lease_ = ledger_.connection().db.postgresql().lease();
    keep();
    lease_->begin_effect();
}

Effect::~Effect() {
    if (lease_) lease_->end_effect();
}

void Effect::keep() {
    if (lease_ && lease_->is_older_than(lease_renewal)) renew(ledger_);
}

std::chrono::milliseconds time_until_acting(const Ledger& ledger) {
    const auto left = ledger.connection().acts_from - postgresql::boot_time();
    return std::max(std::chrono::milliseconds(0), std::chrono::ceil<std::chrono::milliseconds>(left));
}

const std::string& predecessor(const Ledger& ledger) {
    return ledger.connection().predecessor;
}

}  // namespace drawbridge::ledger
