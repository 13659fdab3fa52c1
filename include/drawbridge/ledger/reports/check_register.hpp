// The check register: every check number ever used and its outcome, and orders to void or stop a check.
//
// A number keeps one row. The payment of a voided check ends when the file with the order is released, not before.
#pragma once

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/disbursement/check_orders.hpp"
#include "drawbridge/ledger/facts/payments.hpp"

namespace drawbridge::ledger {

enum class CheckState {
    planned,              // its issue file is not released
    issued,               // the bank has its issue file
    stale,                // issued, and older than checks.stale_after
    paid,                 // the bank paid it
    void_requested,       // ordered, not transmitted
    stop_requested,       // ordered, not transmitted
    void_transmitted,     // the order was transmitted
    stopped,              // the order was transmitted
    voided_by_bank,       // the bank reports a void that we did not order
    returned,             // the bank reports a return
    not_issued,           // its issue file was voided before release
    sent_before_restore,  // a manifest names it, and this ledger was restored to before its payment
    skipped_by_restore,   // a gap: a restore skipped the number, and a check with it may have left before
    never_used,           // a gap: no payment has the number
};
BOOST_DESCRIBE_ENUM(CheckState, planned, issued, stale, paid, void_requested, stop_requested, void_transmitted, stopped,
                    voided_by_bank, returned, not_issued, sent_before_restore, skipped_by_restore, never_used)
inline constexpr CheckState all_check_states[] = {CheckState::planned,
                                                  CheckState::issued,
                                                  CheckState::stale,
                                                  CheckState::paid,
                                                  CheckState::void_requested,
                                                  CheckState::stop_requested,
                                                  CheckState::void_transmitted,
                                                  CheckState::stopped,
                                                  CheckState::voided_by_bank,
                                                  CheckState::returned,
                                                  CheckState::not_issued,
                                                  CheckState::sent_before_restore,
                                                  CheckState::skipped_by_restore,
                                                  CheckState::never_used};
[[nodiscard]] std::string_view to_string(CheckState state);  // "void_requested"

struct CheckOrderRow {
    checks::CheckAction action = checks::CheckAction::void_check;
    Instant ordered_at;
    std::string ordered_by, reason;
    std::optional<Instant> transmitted_at;
    std::string file_name;  // the file with the order; empty: none yet
};

struct CheckRow {
    std::int64_t first_number = 0, last_number = 0;  // equal, except for a gap
    CheckState state = CheckState::never_used;
    // For a gap, everything below is empty. A check sent before a restore has no payment: only draw, amount and file.
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

// Checks by number, with the gaps between them and those that left before a restore. Issued checks dated `stale_until`
// or earlier are stale. Rows after number `after` (0: from the first), at most `limit`; a page may end with a gap.
[[nodiscard]] std::vector<CheckRow> check_register(Ledger& ledger, BusinessDate stale_until, std::int64_t after,
                                                   int limit);
// How many numbers were used.
[[nodiscard]] std::int64_t count_checks(Ledger& ledger);

struct OutstandingChecks {
    std::int64_t outstanding = 0, stale = 0;  // issued and unpaid; stale ones among them
    Money amount, stale_amount;
    std::int64_t orders_not_transmitted = 0;
};
BOOST_DESCRIBE_STRUCT(OutstandingChecks, (), (outstanding, amount, stale, stale_amount, orders_not_transmitted))
[[nodiscard]] OutstandingChecks outstanding_checks(Ledger& ledger, BusinessDate stale_until);

struct StaleCheck {
    std::int64_t payment_id = 0;
    DrawId draw_id = 0;
    std::int64_t check_number = 0;
    std::string payee_name;
    Money amount;
    BusinessDate check_date;
};
// Issued, unpaid, dated `until` or earlier, and without an exception for this reason, open or closed.
[[nodiscard]] std::vector<StaleCheck> newly_stale_checks(Ledger& ledger, BusinessDate until);

}  // namespace drawbridge::ledger
