// When an ACH entry settles, and why: the effective entry date, from the banking calendar and the office's choice.
//
// It does not decide whether an entry may be sent. It never returns a day that is not a banking day.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "drawbridge/domain/banking_calendar.hpp"
#include "drawbridge/domain/money.hpp"
#include "drawbridge/domain/time.hpp"

namespace drawbridge::disbursement {

enum class Settle { next_day, two_days, same_day };

struct SettlePolicy {
    Settle settle = Settle::next_day;
    // Until what local time the bank processes a file the same day; absent: all day.
    std::optional<std::chrono::minutes> bank_cutoff{};
    // Same-day ACH: when the windows close (Eastern time, ascending), how long before that a file must be created, and
    // the maximum entry amount.
    std::vector<std::chrono::minutes> same_day_windows{
        std::chrono::minutes(10 * 60 + 30), std::chrono::minutes(14 * 60 + 45), std::chrono::minutes(16 * 60 + 45)};
    std::chrono::minutes same_day_lead{30};
    Money same_day_limit = Money::from_cents(1'000'000'00);
    friend bool operator==(const SettlePolicy&, const SettlePolicy&) = default;
};

struct Settlement {
    BusinessDate effective_entry_date;
    std::string because;  // the reason: "one banking day after Friday 2026-11-20"
    friend bool operator==(const Settlement&, const Settlement&) = default;
};

// For an entry in a file created `now`. `zone` is the bank's.
[[nodiscard]] Settlement settle(const SettlePolicy& policy, const BankingCalendar& calendar, const TimeZone& zone,
                                Money amount, Instant now);

// Whether an entry with this date is same-day ACH now.
[[nodiscard]] bool is_same_day(BusinessDate effective_entry_date, Instant now);

// Why a file sent to the bank `now` can no longer settle on `effective_entry_date`; nullopt: it can.
[[nodiscard]] std::optional<std::string> fault_in_release(BusinessDate effective_entry_date, const SettlePolicy& policy,
                                                          const BankingCalendar& calendar, const TimeZone& zone,
                                                          Instant now);

}  // namespace drawbridge::disbursement
