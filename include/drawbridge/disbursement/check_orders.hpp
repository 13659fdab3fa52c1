// Turns orders to void or stop checks into files for the bank. A pure function of its arguments.
//
// The bank must receive a void: until its file is released, the check can still be paid. This module pays nothing and
// ends no payment.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/disbursement/profile.hpp"

namespace drawbridge::disbursement {

struct CheckOrder {
    std::int64_t order_id = 0;
    PlannedPayment payment;  // check_action says what is ordered
    CheckProfile issued;     // the profile of the file that issued the check
};

struct CheckOrderFile {
    PlannedFile file;
    CheckProfile profile;
    std::vector<std::int64_t> order_ids;  // in line order of the file
};

namespace reason {
inline constexpr std::string_view order_not_expressible = "order_not_expressible";  // the layout has no code for it
}

struct RefusedOrder {
    std::int64_t order_id = 0;
    std::int64_t payment_id = 0;
    DrawId draw_id = 0;
    std::string detail;
    friend bool operator==(const RefusedOrder&, const RefusedOrder&) = default;
};

struct CheckOrderPlan {
    std::vector<CheckOrderFile> files;  // at least one for each account that the checks are drawn on
    std::vector<RefusedOrder> refused;  // reason::order_not_expressible
    std::int64_t next_file_sequence = 1;
};

// Uses the currently configured layout, or the layout of the issue if checks are no longer configured.
[[nodiscard]] CheckOrderPlan plan_check_orders(const std::vector<CheckOrder>& orders, const PlanSettings& settings,
                                               std::int64_t next_file_sequence, Instant now);

// Why an order for a check issued with this profile cannot be written; empty: it can.
[[nodiscard]] std::string fault_in_order(const PlanSettings& settings, const CheckProfile& issued,
                                         checks::CheckAction action);

}  // namespace drawbridge::disbursement
