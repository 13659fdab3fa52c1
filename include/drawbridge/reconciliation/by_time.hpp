// When an ACH credit of which the bank says nothing counts as paid: some banks tell only of what came back.
#pragma once

#include <optional>

#include "drawbridge/domain/banking_calendar.hpp"
#include "drawbridge/domain/time.hpp"

namespace drawbridge::reconciliation {

// The day on which the bank settles it: its effective entry date; the next banking day after the bank got the file,
// where that was later.
[[nodiscard]] BusinessDate settles_on(BusinessDate effective_entry_date, BusinessDate at_bank_on,
                                      const BankingCalendar& calendar);

// The day on which it was paid, once `banking_days` whole banking days have passed since it settled. Earlier: nothing.
[[nodiscard]] std::optional<BusinessDate> paid_by_time(BusinessDate effective_entry_date, BusinessDate at_bank_on,
                                                       int banking_days, const BankingCalendar& calendar,
                                                       BusinessDate today);

}  // namespace drawbridge::reconciliation
