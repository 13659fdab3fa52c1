// What follows from a planned file alone: its totals, its profile, its payments' names.
#include <fmt/format.h>

#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/domain/assert.hpp"
#include "rendered_values.hpp"

namespace drawbridge::disbursement {

FileProfile profile_for(const PlanSettings& settings, Rail rail) {
    if (rail == Rail::ach) {
        DRAWBRIDGE_ASSERT(settings.ach.has_value(), "an ACH file is planned only when ACH is configured");
        return *settings.ach;
    }
    DRAWBRIDGE_ASSERT(settings.check.has_value(), "a check file is planned only when checks are configured");
    return *settings.check;
}

void add_to_hash(std::int64_t& entry_hash, std::string_view routing_identification) {
    entry_hash = (entry_hash + std::stoll(std::string(routing_identification))) % nacha::entry_hash_modulus;
}

void add_to_totals(ControlTotals& totals, const PlannedPayment& payment) {
    ++totals.count;
    totals.total += payment.amount;
    if (payment.rail == Rail::ach)
        add_to_hash(totals.entry_hash, payment.payee.routing_number.value().identification());
}

ControlTotals control_totals(const PlannedFile& file, const std::optional<OffsetAccount>& offset) {
    ControlTotals totals;
    for (const PlannedPayment& payment : file.payments)
        add_to_totals(totals, payment);
    for (const PlannedPrenote& prenote : file.prenotes)
        add_to_hash(totals.entry_hash, prenote.payee.routing_number.value().identification());
    DRAWBRIDGE_ASSERT(file.offsets.empty() || offset, "a balanced file needs its offset account");
    for (std::size_t i = 0; i < file.offsets.size(); ++i)
        add_to_hash(totals.entry_hash, offset->routing_number.identification());
    return totals;
}

std::string format_payment_id(std::int64_t payment_id) {
    constexpr std::int64_t last_payment_id = 9'999'999'999;
    DRAWBRIDGE_ASSERT(payment_id > 0 && payment_id <= last_payment_id, "a payment id has at most ten digits");
    return fmt::format("P{:010}", payment_id);
}

std::optional<std::int64_t> parse_payment_id(std::string_view text) {
    if (text.size() != 11 || text.front() != 'P') return std::nullopt;
    std::int64_t id = 0;
    for (const char c : text.substr(1)) {
        if (c < '0' || c > '9') return std::nullopt;
        id = id * 10 + (c - '0');
    }
    if (id == 0) return std::nullopt;
    return id;
}

}  // namespace drawbridge::disbursement
