// When an approved draw without a payment would be paid, and would settle, if nothing changes.
#include "drawbridge/disbursement/settlement.hpp"
#include "drawbridge/ledger/draw_states.hpp"
#include "drawbridge/ledger/draws.hpp"
#include "drawbridge/ledger/runs.hpp"
#include "requests.hpp"

namespace drawbridge::daemon {
namespace {

using disbursement::Payee;
using disbursement::Rail;

const Payee* payee_of(const Application& app, const Draw& draw) {
    const auto value = app.context->settings.payee_key->get(draw);
    const auto* key = std::get_if<std::string>(&value);
    return key == nullptr ? nullptr : app.context->payees.find(*key);
}

struct Run {
    Instant at;
    std::string because;
};

std::optional<Run> next_run(Application& app, Instant now) {
    const auto plan = app.cutoff_plan();
    if (const auto due = due_cutoff(plan, ledger::last_cutoff(app.ledger, now), app.ledger.created_at(), now)) {
        return Run{now, "the cut-off of " + format_instant(*due) + " is due now"};
    }
    const auto next = next_cutoff(plan, now);
    if (!next) return std::nullopt;
    const std::string why = why_not_today(plan, now);
    return Run{*next, "planned at the cut-off of " + format_instant(*next) + (why.empty() ? "" : " (" + why + ")")};
}

}  // namespace

std::optional<admin::Forecast> forecast(Application& app, DrawId id) {
    const auto row = ledger::find_draw(app.ledger, id);
    if (!row || row->state != "approved") return std::nullopt;
    const auto known = ledger::newest_reading(app.ledger, id);
    const auto* payee = known ? payee_of(app, known->draw) : nullptr;
    if (payee == nullptr || !known->draw.amount_approved) return std::nullopt;
    const auto run = next_run(app, app.clock.now());
    if (!run) return admin::Forecast{{}, {}, "no cut-off is configured: run 'drawbridge pay --now'"};
    const auto& plan = app.context->settings.plan;
    admin::Forecast forecast{run->at, {}, run->because};
    if (ledger::is_paused(app.ledger))
        forecast.because = "after 'drawbridge resume' ends the pause: " + forecast.because;
    if (payee->rail == Rail::check) {
        forecast.because += ", as a check of " + format_date(plan.zone.date_of(run->at));
    } else {
        const auto settled =
            disbursement::settle(plan.settle, plan.calendar, plan.zone, *known->draw.amount_approved, run->at);
        forecast.effective_entry_date = settled.effective_entry_date;
        forecast.because += "; " + settled.because;
    }
    if (!app.context->settings.release_automatically) forecast.because += "; if its file is released in time";
    return forecast;
}

}  // namespace drawbridge::daemon
