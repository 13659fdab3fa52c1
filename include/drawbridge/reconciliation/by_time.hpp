// When an ACH credit without any news from the bank counts as paid: some banks report only returns.
#pragma once

#include <optional>

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

}  // namespace drawbridge::reconciliation
