// The check register: every check number that was ever used, and what became of it; orders to void or stop a check.
//
// A number has one row for ever. A payment whose check is voided ends when the order's file is released, not before.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/disbursement/check_orders.hpp"
#include "drawbridge/ledger/payments.hpp"

namespace drawbridge::ledger {

enum class CheckState {
    planned,           // its issue file has not gone out
    issued,            // the bank knows of it
    stale,             // issued, and older than checks.stale_after
    paid,              // the bank paid it
    void_requested,    // ordered; the bank does not know yet
    stop_requested,    // likewise
    void_transmitted,  // the bank was told
    stopped,           // likewise
    voided_by_bank,    // the bank says so, without an order of ours
    returned,          // the bank says that it came back
    not_issued,        // its issue file was voided before it went out
    never_used,        // a gap: no payment ever had the number
};
[[nodiscard]] std::string_view to_string(CheckState state);  // "void_requested"

struct CheckOrderRow {
    checks::CheckAction action = checks::CheckAction::void_check;
    Instant ordered_at;
    std::string ordered_by, reason;
    std::optional<Instant> transmitted_at;
    std::string file_name;  // of the file that carries it; empty: none yet
};

struct CheckRow {
    std::int64_t first_number = 0, last_number = 0;  // the same but for a gap
    CheckState state = CheckState::never_used;
    // All below are empty for a gap.
    std::int64_t payment_id = 0;
    DrawId draw_id = 0;
    std::string payee_name;
    Money amount;
    std::optional<BusinessDate> check_date;
    std::string file_name;
    std::optional<BusinessDate> settled_on;  // the bank's date of paid, returned or void
    std::optional<CheckOrderRow> order;      // in force, or transmitted
    // The payment of the same draw before and after this one: "check 10001", "P0000000012".
    std::string replaces, replaced_by;
};

// By number; gaps in between. Stale are checks dated on `stale_until` or before. Rows behind the number `after` (0:
// from the first), at most `limit`; a page may end with a gap.
[[nodiscard]] std::vector<CheckRow> check_register(Ledger& ledger, BusinessDate stale_until, std::int64_t after,
                                                   int limit);
// Numbers that were used.
[[nodiscard]] std::int64_t count_checks(Ledger& ledger);

struct OutstandingChecks {
    std::int64_t count = 0, stale = 0, orders = 0;  // issued and unpaid; of these stale; orders not yet transmitted
    Money amount, stale_amount;
};
[[nodiscard]] OutstandingChecks outstanding_checks(Ledger& ledger, BusinessDate stale_until);

// The profile with which a check was issued. Errors: no such check.
[[nodiscard]] Result<disbursement::CheckProfile> check_profile_of(Ledger& ledger, std::int64_t check_number);
// Records the intent. Errors: no such check, not issued yet, paid, ended, ordered already.
[[nodiscard]] Result<void> order_check(Ledger& ledger, std::int64_t check_number, checks::CheckAction action,
                                       std::string_view reason, const Stamp& stamp);
// Errors: nothing is ordered, it stands in a file that is not void.
[[nodiscard]] Result<void> withdraw_check_order(Ledger& ledger, std::int64_t check_number, std::string_view reason,
                                                const Stamp& stamp);

struct OpenCheckOrder {
    disbursement::CheckOrder order;
    std::string ordered_by;
    std::string overtaken_by;  // "it was paid on 2026-03-04": the order has no sense any more; empty: it has
};
// Orders that stand in no file, by age.
[[nodiscard]] std::vector<OpenCheckOrder> open_check_orders(Ledger& ledger);
// The bank was faster than the order.
void withdraw_overtaken(Ledger& ledger, const OpenCheckOrder& order, const Stamp& stamp);
// The intent: the files and their lines, and the file numbers that they used up.
void record_check_order_files(Ledger& ledger, const disbursement::CheckOrderPlan& plan, const Stamp& stamp);

struct StaleCheck {
    std::int64_t payment_id = 0;
    DrawId draw_id = 0;
    std::int64_t check_number = 0;
    std::string payee_name;
    Money amount;
    BusinessDate check_date;
};
inline constexpr std::string_view check_stale = "check_stale";
// Issued, unpaid, dated on `until` or before, and without a case of that reason yet, open or closed.
[[nodiscard]] std::vector<StaleCheck> newly_stale_checks(Ledger& ledger, BusinessDate until);
// Closes the cases of checks that are stale no more because they were paid, voided or returned; how many.
int close_stale_exceptions(Ledger& ledger, const Stamp& stamp);

}  // namespace drawbridge::ledger
