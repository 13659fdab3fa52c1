#include "drawbridge/disbursement/cutoffs.hpp"

namespace drawbridge::disbursement {

std::optional<Instant> due_cutoff(const CutoffPlan& plan, std::optional<Instant> last_served, Instant ledger_created_at,
                                  Instant now) {
    const BusinessDate today = plan.zone.date_of(now);
    if (!plan.calendar.is_banking_day(today)) return std::nullopt;
    std::optional<Instant> due;
    for (const auto time : plan.times) {
        const Instant cutoff = plan.zone.to_instant(today, time);
        const bool is_of_this_ledger = cutoff > ledger_created_at || ledger_created_at > now;
        const bool is_served = last_served && *last_served <= now && cutoff <= *last_served;
        const bool counts = cutoff <= now && is_of_this_ledger && !is_served;
        if (counts) due = cutoff;
    }
    return due;
}

std::optional<Instant> next_cutoff(const CutoffPlan& plan, Instant now) {
    if (plan.times.empty()) return std::nullopt;
    BusinessDate date = plan.calendar.on_or_after(plan.zone.date_of(now));
    for (;;) {
        for (const auto time : plan.times) {
            const Instant cutoff = plan.zone.to_instant(date, time);
            if (cutoff > now) return cutoff;
        }
        date = plan.calendar.add(date, 1);
    }
}

std::string why_not_today(const CutoffPlan& plan, Instant now) {
    const BusinessDate today = plan.zone.date_of(now);
    const auto next = next_cutoff(plan, now);
    if (!next || plan.zone.date_of(*next) == today) return {};
    if (plan.calendar.is_banking_day(today)) return "today's last cut-off has passed";
    const auto holiday = federal_reserve_holiday(today);
    if (!holiday.empty()) return "today is " + std::string(holiday);
    const std::chrono::weekday day{std::chrono::sys_days(today)};
    if (day == std::chrono::Saturday || day == std::chrono::Sunday) return "today is not a banking day";
    return "today is a closure (pay.closures)";
}

}  // namespace drawbridge::disbursement
