#include "drawbridge/disbursement/settlement.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "drawbridge/domain/assert.hpp"

namespace drawbridge::disbursement {

namespace {

using std::chrono::minutes;
using std::chrono::sys_days;
using std::chrono::weekday;

std::string named_day(BusinessDate date) {
    constexpr std::array<std::string_view, 7> names = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                       "Thursday", "Friday", "Saturday"};
    return std::string(names[weekday(sys_days(date)).c_encoding()]) + " " + format_date(date);
}

std::string clock_time(minutes time) {
    const auto two_digits = [](long value) { return (value < 10 ? "0" : "") + std::to_string(value); };
    return two_digits(time.count() / 60) + ":" + two_digits(time.count() % 60);
}

// The ACH operator's same-day windows are in New York time, wherever the office's bank is.
const TimeZone& eastern() {
    static const TimeZone zone = TimeZone::find("America/New_York").value();
    return zone;
}

// The day on which the bank processes a file received now. On a closed day, the bank counts from that day.
struct ProcessingDay {
    BusinessDate date;
    bool is_late = false;
};
ProcessingDay processing_day(const SettlePolicy& policy, const BankingCalendar& calendar, const LocalTime& local) {
    const bool is_late =
        policy.bank_cutoff && local.time_of_day >= *policy.bank_cutoff && calendar.is_banking_day(local.date);
    return {is_late ? calendar.add(local.date, 1) : local.date, is_late};
}

// The skipped days by name: "Thanksgiving Day on 2026-11-26".
std::string skipped(BusinessDate from, BusinessDate to) {
    std::string text;
    for (BusinessDate date = sys_days(from) + std::chrono::days(1); date < to;
         date = sys_days(date) + std::chrono::days(1)) {
        const auto holiday = federal_reserve_holiday(date);
        if (!holiday.empty())
            text += "; " + std::string(holiday) + " on " + format_date(date) + " is not a banking day";
    }
    return text;
}

Settlement later(const SettlePolicy& policy, const BankingCalendar& calendar, const LocalTime& local, int days,
                 const std::string& why_not_today) {
    const auto from = processing_day(policy, calendar, local);
    const BusinessDate date = calendar.add(from.date, days);
    std::string because = (days == 1 ? "one banking day after " : "two banking days after ") + named_day(from.date);
    if (from.is_late)
        because += " (the bank's cut-off " + clock_time(*policy.bank_cutoff) + " had passed the day before)";
    return {date, because + skipped(from.date, date) + why_not_today};
}

}  // namespace

Settlement settle(const SettlePolicy& policy, const BankingCalendar& calendar, const TimeZone& zone, Money amount,
                  Instant now) {
    const LocalTime local = zone.to_local(now);
    switch (policy.settle) {
        case Settle::next_day: return later(policy, calendar, local, 1, "");
        case Settle::two_days: return later(policy, calendar, local, 2, "");
        case Settle::same_day: break;
    }
    const LocalTime there = eastern().to_local(now);
    if (!calendar.is_banking_day(there.date))
        return later(policy, calendar, local, 1, "; there is no same-day ACH today");
    if (processing_day(policy, calendar, local).is_late)
        return later(policy, calendar, local, 1, "; there is no same-day ACH after the cut-off");
    if (amount > policy.same_day_limit) {
        return later(policy, calendar, local, 1,
                     "; over the same-day ACH limit of " + policy.same_day_limit.to_display() + "");
    }
    // In whole minutes: a run at a cut-off that is exactly the lead before a window is in time for it.
    const auto window = std::ranges::find_if(
        policy.same_day_windows, [&](minutes closes) { return there.time_of_day + policy.same_day_lead <= closes; });
    if (window == policy.same_day_windows.end()) {
        return later(policy, calendar, local, 1, "; the last same-day window was too close or already closed");
    }
    return {there.date, "same day, in the window that closes at " + clock_time(*window) + " Eastern"};
}

bool is_same_day(BusinessDate effective_entry_date, Instant now) {
    return effective_entry_date == eastern().to_local(now).date;
}

std::optional<std::string> fault_in_release(BusinessDate effective_entry_date, const SettlePolicy& policy,
                                            const BankingCalendar& calendar, const TimeZone& zone, Instant now) {
    const LocalTime local = zone.to_local(now);
    const auto received = processing_day(policy, calendar, local);
    const BusinessDate earliest = calendar.add(received.date, 1);
    if (effective_entry_date >= earliest) return std::nullopt;
    const LocalTime there = eastern().to_local(now);
    if (policy.settle == Settle::same_day && !received.is_late && effective_entry_date == there.date &&
        !policy.same_day_windows.empty() && there.time_of_day < policy.same_day_windows.back()) {
        return std::nullopt;
    }
    return "its effective entry date is " + named_day(effective_entry_date) +
           ", but a file sent to the bank now settles on " + named_day(earliest) + " at the earliest";
}

}  // namespace drawbridge::disbursement
