// Orders to void or stop checks in, files for the bank out. A pure function of its arguments.
//
// A void has to be transmitted: until its file is released the check stands. Nothing is paid here, and nothing ends.
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
    CheckProfile issued;     // of the file that issued the check
};

struct CheckOrderFile {
    PlannedFile file;
    CheckProfile profile;
    std::vector<std::int64_t> order_ids;  // in the order of the file's lines
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
    std::vector<CheckOrderFile> files;  // one for each account that the checks were drawn on
    std::vector<RefusedOrder> refused;  // reason::order_not_expressible
    std::int64_t next_file_sequence = 1;
};

// In the layout that is configured now; where checks are no longer configured, in that of the issue.
[[nodiscard]] CheckOrderPlan plan_check_orders(const std::vector<CheckOrder>& orders, const PlanSettings& settings,
                                               std::int64_t next_file_sequence, Instant now);

// Why the bank cannot be told this of a check that was issued so; empty: it can.
[[nodiscard]] std::string fault_in_order(const PlanSettings& settings, const CheckProfile& issued,
                                         checks::CheckAction action);

}  // namespace drawbridge::disbursement
