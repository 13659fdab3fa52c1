#include "drawbridge/reconciliation/by_time.hpp"

#include <algorithm>

namespace drawbridge::reconciliation {

BusinessDate settles_on(BusinessDate effective_entry_date, BusinessDate at_bank_on, const BankingCalendar& calendar) {
    if (at_bank_on <= effective_entry_date) return calendar.on_or_after(effective_entry_date);
    return calendar.add(at_bank_on, 1);
}

std::optional<BusinessDate> paid_by_time(BusinessDate effective_entry_date, BusinessDate at_bank_on, int banking_days,
                                         const BankingCalendar& calendar, BusinessDate today) {
    const BusinessDate settled = settles_on(effective_entry_date, at_bank_on, calendar);
    // The last of those days must be over: returns may arrive until its end.
    if (today <= calendar.add(settled, banking_days)) return std::nullopt;
    return settled;
}

bool looked_for_returns(BusinessDate settled_on, int banking_days, const BankingCalendar& calendar,
                        const std::set<BusinessDate>& looked_on, BusinessDate today) {
    return std::ranges::count_if(looked_on, [&](BusinessDate day) {
               return day > settled_on && day < today && calendar.is_banking_day(day);
           }) >= banking_days;
}

}  // namespace drawbridge::reconciliation
