// Orders to void or stop a check: from the intent to the file that carries it to the bank.
//
// The payment of such a check ends when that file is released, not before.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/disbursement/check_orders.hpp"
#include "drawbridge/ledger/store/ledger.hpp"

namespace drawbridge::ledger {

// The profile with which a check was issued. Errors: no such check.
[[nodiscard]] Result<disbursement::CheckProfile> check_profile_of(Ledger& ledger, std::int64_t check_number);
// Records the intent. Errors: no such check, not issued yet, paid, ended, already ordered.
[[nodiscard]] Result<void> order_check(Ledger& ledger, std::int64_t check_number, checks::CheckAction action,
                                       std::string_view reason, const Stamp& stamp);
// Errors: no open order; the order is in a file that is not voided.
[[nodiscard]] Result<void> withdraw_check_order(Ledger& ledger, std::int64_t check_number, std::string_view reason,
                                                const Stamp& stamp);

struct OpenCheckOrder {
    disbursement::CheckOrder order;
    std::string ordered_by;
    std::string overtaken_by;  // "it was paid on 2026-03-04": the order is obsolete; empty: it is not
};
// Orders that are in no file yet, oldest first.
[[nodiscard]] std::vector<OpenCheckOrder> open_check_orders(Ledger& ledger);
// The check was paid, voided or returned before the order was transmitted.
void withdraw_overtaken(Ledger& ledger, const OpenCheckOrder& order, const Stamp& stamp);
// Records the intent: the files, their lines and the file numbers they use up.
void record_check_order_files(Ledger& ledger, const disbursement::CheckOrderPlan& plan, const Stamp& stamp);

inline constexpr std::string_view check_stale = "check_stale";
// Closes the exceptions of checks that are no longer stale because they were paid, voided or returned; returns how
// many.
int close_stale_exceptions(Ledger& ledger, const Stamp& stamp);

}  // namespace drawbridge::ledger
