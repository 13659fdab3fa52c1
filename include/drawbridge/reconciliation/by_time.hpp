// When an ACH credit without any news from the bank counts as paid: some banks report only returns.
#pragma once

#include <optional>
#include <set>

#include "drawbridge/domain/banking_calendar.hpp"
#include "drawbridge/domain/time.hpp"

namespace drawbridge::reconciliation {

// The day on which the credit settles: its effective entry date, or the next banking day after the bank received the
// file, if that is later.
[[nodiscard]] BusinessDate settles_on(BusinessDate effective_entry_date, BusinessDate at_bank_on,
                                      const BankingCalendar& calendar);

// The day on which it was paid, once `banking_days` full banking days have passed since settlement; nullopt before
// that.
[[nodiscard]] std::optional<BusinessDate> paid_by_time(BusinessDate effective_entry_date, BusinessDate at_bank_on,
                                                       int banking_days, const BankingCalendar& calendar,
                                                       BusinessDate today);

// Whether the program looked for returns on as many banking days since. `looked_on`: the days on which it did. A clock
// that leaps ahead passes days on which nobody looked.
[[nodiscard]] bool looked_for_returns(BusinessDate settled_on, int banking_days, const BankingCalendar& calendar,
                                      const std::set<BusinessDate>& looked_on, BusinessDate today);

}  // namespace drawbridge::reconciliation
