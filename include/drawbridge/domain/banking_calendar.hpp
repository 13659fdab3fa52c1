// Federal Reserve banking days: no weekends, no Federal Reserve holidays, no closures from the configuration.
#pragma once

#include <set>
#include <string_view>

#include "drawbridge/domain/time.hpp"

namespace drawbridge {

// The holiday's name, or empty. When a holiday falls on a Saturday, the Friday before stays a banking day. When it
// falls on a Sunday, the Monday after is closed.
[[nodiscard]] std::string_view federal_reserve_holiday(BusinessDate date);

class BankingCalendar {
  public:
    BankingCalendar() = default;
    explicit BankingCalendar(std::set<BusinessDate> closures) : closures_(std::move(closures)) {}

    [[nodiscard]] bool is_banking_day(BusinessDate date) const;
    // The first banking day on or after `date`.
    [[nodiscard]] BusinessDate on_or_after(BusinessDate date) const;
    // `days` banking days after `date` (days >= 1); `date` itself need not be a banking day.
    [[nodiscard]] BusinessDate add(BusinessDate date, int days) const;
    // The banking days after `from`, up to and including `to`.
    [[nodiscard]] int count(BusinessDate from, BusinessDate to) const;

  private:
    std::set<BusinessDate> closures_;
};

}  // namespace drawbridge
