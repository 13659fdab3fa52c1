// The banking calendar as the console shows it, and until when a file settles on its dates.
#include "drawbridge/disbursement/settlement.hpp"
#include "drawbridge/ledger/runs.hpp"
#include "requests.hpp"

namespace drawbridge::daemon {
namespace {

using std::chrono::days;
using std::chrono::sys_days;

std::string closed_for(const BankingCalendar& calendar, BusinessDate date) {
    if (calendar.is_banking_day(date)) return {};
    const std::chrono::weekday day{sys_days(date)};
    if (day == std::chrono::Saturday) return "Saturday";
    if (day == std::chrono::Sunday) return "Sunday";
    const auto holiday = federal_reserve_holiday(date);
    return holiday.empty() ? "closed by pay.closures" : std::string(holiday);
}

}  // namespace

std::vector<admin::CalendarDay> calendar_days(Application& app, BusinessDate from, BusinessDate to) {
    const auto plan = app.cutoff_plan();
    std::vector<admin::CalendarDay> list;
    for (BusinessDate date = from; date <= to; date = sys_days(date) + days(1)) {
        admin::CalendarDay day{date, plan.calendar.is_banking_day(date), closed_for(plan.calendar, date), {}};
        if (day.is_banking_day) {
            for (const auto time : plan.times)
                day.cutoffs.push_back(plan.zone.to_instant(date, time));
        }
        list.push_back(std::move(day));
    }
    return list;
}

admin::NextSettlement next_settlement(Application& app) {
    const Instant now = app.clock.now();
    const auto cutoffs = app.cutoff_plan();
    const auto due = due_cutoff(cutoffs, ledger::last_cutoff(app.ledger, now), app.ledger.created_at(), now);
    const auto at = due ? std::optional(now) : next_cutoff(cutoffs, now);
    if (!at) return {{}, {}, "no cut-off is configured: `drawbridge pay --now` plans payments"};
    const auto& plan = app.context->settings.plan;
    const auto settled = disbursement::settle(plan.settle, plan.calendar, plan.zone, Money(), *at);
    return {*at, settled.effective_entry_date, settled.because};
}

std::optional<Instant> settlement_deadline(Application& app, const ledger::FileRow& file) {
    const auto dates = ledger::effective_entry_dates(app.ledger, file.file_id);
    if (dates.empty()) return std::nullopt;
    const auto& plan = app.context->settings.plan;
    const auto fits = [&](Instant at) {
        return !disbursement::fault_in_release(dates.front(), plan.settle, plan.calendar, plan.zone, at);
    };
    constexpr std::chrono::minutes precision{1};
    Instant good = app.clock.now();
    if (!fits(good)) return std::nullopt;
    Instant late = plan.zone.to_instant(dates.front(), std::chrono::minutes(0)) + days(1);
    if (late <= good || fits(late)) return std::nullopt;
    while (late - good > precision) {
        const Instant middle = good + (late - good) / 2;
        (fits(middle) ? good : late) = middle;
    }
    // The first minute that is too late.
    return std::chrono::ceil<std::chrono::minutes>(good);
}

}  // namespace drawbridge::daemon
