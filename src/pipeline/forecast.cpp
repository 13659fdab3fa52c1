#include "drawbridge/pipeline/forecast.hpp"

#include "drawbridge/disbursement/settlement.hpp"
#include "drawbridge/ledger/facts/draws.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/ledger/reports/draw_states.hpp"

namespace drawbridge::pipeline {
namespace {

using disbursement::Payee;
using disbursement::Rail;
using std::chrono::days;
using std::chrono::sys_days;

const Payee* payee_of_draw(const Shared& shared, const Draw& draw) {
    const auto value = shared.settings.payee_key->get(draw);
    const auto* key = std::get_if<std::string>(&value);
    return key == nullptr ? nullptr : shared.payees.find(*key);
}

struct NextRun {
    Instant at;
    std::string because;
};

// "2026-11-20 15:00:00Z"
std::string moment(Instant at) {
    const std::string text = format_instant(at);
    return text.substr(0, text.find('T')) + " " + text.substr(text.find('T') + 1, 8) + "Z";
}

std::optional<NextRun> next_run(const Shared& shared, Instant now) {
    const auto plan = cutoff_plan(shared);
    if (const auto due =
            disbursement::due_cutoff(plan, ledger::last_cutoff(shared.ledger, now), shared.ledger.created_at(), now)) {
        return NextRun{now, "the cut-off of " + moment(*due) + " is due now"};
    }
    const auto next = disbursement::next_cutoff(plan, now);
    if (!next) return std::nullopt;
    const std::string why = disbursement::why_not_today(plan, now);
    return NextRun{*next, "planned at the cut-off of " + moment(*next) + (why.empty() ? "" : " (" + why + ")")};
}

std::string closed_for(const BankingCalendar& calendar, BusinessDate date) {
    if (calendar.is_banking_day(date)) return {};
    const std::chrono::weekday day{sys_days(date)};
    if (day == std::chrono::Saturday) return "Saturday";
    if (day == std::chrono::Sunday) return "Sunday";
    const auto holiday = federal_reserve_holiday(date);
    return holiday.empty() ? "closed by pay.closures" : std::string(holiday);
}

}  // namespace

disbursement::CutoffPlan cutoff_plan(const Shared& shared) {
    return {shared.settings.plan.zone, shared.config.pay.cutoffs, shared.settings.plan.calendar};
}

std::optional<Forecast> forecast(const Shared& shared, DrawId id) {
    const auto row = ledger::find_draw(shared.ledger, id);
    if (!row || row->state != "approved") return std::nullopt;
    const auto known = ledger::newest_reading(shared.ledger, id);
    const auto* payee = known ? payee_of_draw(shared, known->draw) : nullptr;
    if (payee == nullptr || !known->draw.amount_approved) return std::nullopt;
    const auto run = next_run(shared, shared.clock.now());
    if (!run) return Forecast{{}, {}, "no cut-off is configured: run 'drawbridge pay --now'"};
    const auto& plan = shared.settings.plan;
    Forecast forecast{run->at, {}, run->because};
    if (ledger::is_paused(shared.ledger))
        forecast.because = "after 'drawbridge resume --reason …' ends the pause: " + forecast.because;
    if (payee->rail == Rail::check) {
        forecast.because += ", as a check of " + format_date(plan.zone.date_of(run->at));
    } else {
        const auto settled =
            disbursement::settle(plan.settle, plan.calendar, plan.zone, *known->draw.amount_approved, run->at);
        forecast.effective_entry_date = settled.effective_entry_date;
        forecast.because += "; " + settled.because;
    }
    if (shared.config.pay.release != config::Release::automatic)
        forecast.because += "; if its file is released in time";
    return forecast;
}

std::vector<CalendarDay> calendar_days(const Shared& shared, BusinessDate from, BusinessDate to) {
    const auto plan = cutoff_plan(shared);
    std::vector<CalendarDay> list;
    for (BusinessDate date = from; date <= to; date = sys_days(date) + days(1)) {
        CalendarDay day{date, plan.calendar.is_banking_day(date), closed_for(plan.calendar, date), {}};
        if (day.is_banking_day) {
            for (const auto time : plan.times)
                day.cutoffs.push_back(plan.zone.to_instant(date, time));
        }
        list.push_back(std::move(day));
    }
    return list;
}

NextSettlement next_settlement(const Shared& shared) {
    const Instant now = shared.clock.now();
    const auto cutoffs = cutoff_plan(shared);
    const auto due =
        disbursement::due_cutoff(cutoffs, ledger::last_cutoff(shared.ledger, now), shared.ledger.created_at(), now);
    const auto at = due ? std::optional(now) : disbursement::next_cutoff(cutoffs, now);
    if (!at) return {{}, {}, "no cut-off is configured: `drawbridge pay --now` plans payments"};
    const auto& plan = shared.settings.plan;
    const auto settled = disbursement::settle(plan.settle, plan.calendar, plan.zone, Money(), *at);
    return {*at, settled.effective_entry_date, settled.because};
}

std::optional<std::string> missed_settlement(ledger::Ledger& ledger, const disbursement::PlanSettings& plan,
                                             const ledger::FileRow& file, Instant now) {
    for (const auto date : ledger::effective_entry_dates(ledger, file.file_id)) {
        if (auto fault = disbursement::fault_in_release(date, plan.settle, plan.calendar, plan.zone, now)) return fault;
    }
    return std::nullopt;
}

std::optional<Instant> settlement_deadline(const Shared& shared, const ledger::FileRow& file) {
    const auto dates = ledger::effective_entry_dates(shared.ledger, file.file_id);
    if (dates.empty()) return std::nullopt;
    const auto& plan = shared.settings.plan;
    const auto fits = [&](Instant at) {
        return !disbursement::fault_in_release(dates.front(), plan.settle, plan.calendar, plan.zone, at);
    };
    constexpr std::chrono::minutes precision{1};
    Instant good = shared.clock.now();
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

}  // namespace drawbridge::pipeline
