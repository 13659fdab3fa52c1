// GET /status: first what needs a person, then the state of the pipeline.
#include <utility>

#include "alerts_view.hpp"
#include "changes.hpp"
#include "checks_view.hpp"
#include "delivery_view.hpp"
#include "drawbridge/config/controls.hpp"
#include "drawbridge/ledger/facts/outbox.hpp"
#include "drawbridge/ledger/reports/return_rates.hpp"
#include "drawbridge/ledger/reports/totals.hpp"
#include "drawbridge/ledger/store/standby.hpp"
#include "drawbridge/reconciliation/report.hpp"
#include "ingest.hpp"
#include "upkeep.hpp"
#include "views.hpp"

namespace drawbridge::admin {
namespace {

json attention_view(AdminContext& context) {
    json files = json::array();
    for (const auto& file : ledger::payment_files(context.ledger, /*unreleased_only=*/true)) {
        if (file.state == ledger::FileState::staged || file.order)
            files.push_back(to_json(with_makers(context.ledger, file)));
    }
    json paused = nullptr;
    if (const auto movement = ledger::movement(context.ledger); movement && movement->paused)
        paused = to_json(*movement);
    return {{"paused", paused},
            {"restoration", restoration_view(context)},
            {"open_exceptions", ledger::count_open_exceptions(context.ledger)},
            {"exceptions_by_reason", to_json(ledger::exception_totals(context.ledger))},
            {"files_waiting_for_release", files}};
}

json service_view(const service::ClientHealth& health) {
    const auto milliseconds = [](const auto& duration) { return duration ? json(duration->count()) : json(nullptr); };
    return {{"circuit", service::to_string(health.circuit)},
            {"consecutive_failures", health.consecutive_failures},
            {"last_error", to_json(if_any(health.last_error))},
            {"token_valid_for_ms", milliseconds(health.token_valid_for)},
            {"next_try_in_ms", milliseconds(health.next_try_in)},
            {"requests", health.requests},
            {"retries", health.retries}};
}

json sum_view(const reconciliation::StateTotal& total) {
    return to_json(ledger::CountAndCents{total.count, total.amount});
}

json reconciliation_view(AdminContext& context, const std::vector<ledger::StateTotal>& totals) {
    std::vector<reconciliation::StateTotal> states;
    states.reserve(totals.size());
    for (const auto& total : totals)
        states.push_back({total.state, total.count, total.amount});
    const auto seen = ledger::seen_total(context.ledger);
    const auto summary =
        reconciliation::summarize(std::move(states), reconciliation::StateTotal{seen.state, seen.count, seen.amount});
    return {{"line", reconciliation::to_line(summary)}, {"adds_up", summary.adds_up()},
            {"seen", sum_view(summary.seen)},           {"finished", sum_view(summary.finished)},
            {"in_flight", sum_view(summary.in_flight)}, {"exceptions", sum_view(summary.exceptions)}};
}

json return_rates_view(AdminContext& context) {
    json all = json::array();
    for (const auto& rate : ledger::return_rates(context.ledger, context.clock.now())) {
        all.push_back({{"class", nacha::to_string(rate.what)},
                       {"returned", rate.returned},
                       {"entries", rate.entries},
                       {"rate", rate.fraction()},
                       {"limit", nacha::return_limit_per_mille(rate.what) / 1000.0},
                       {"text", ledger::describe(rate)}});
    }
    return all;
}

// "/mnt/witness", "none", or null if not configured.
json witness_view(const config::Witness& witness) {
    if (witness.none_on_purpose) return "none";
    return witness.folder ? json(witness.folder->string()) : json(nullptr);
}

json controls_view(AdminContext& context) {
    json all = json::array();
    for (const auto& control : config::controls(context.shared.config))
        all.push_back({{"key", control.key}, {"on", control.is_on}, {"state", control.state}});
    return all;
}

}  // namespace

json status_view(AdminContext& context) {
    const DaemonStatus live = context.program.status();
    const auto totals = ledger::state_totals(context.ledger);
    json runs = json::array();
    for (const auto& run : ledger::last_runs(context.ledger))
        runs.push_back(to_json(record_of(run)));
    const auto pay_runs = ledger::pay_runs(context.ledger, 1);
    const auto waiting = ledger::waiting_for_portal(context.ledger);
    const json daemon = {{"running", live.daemon},
                         {"started_at", live.daemon ? json(format_instant(live.started_at)) : json(nullptr)},
                         {"doing", live.daemon ? json(live.doing) : json(nullptr)},
                         {"next_cutoff", to_json(live.next_cutoff)}};
    return {{"at", format_instant(context.clock.now())},
            {"needs_attention", attention_view(context)},
            {"states", to_json(totals)},
            {"runs", runs},
            {"last_pay_run", pay_runs.empty() ? json(nullptr) : to_json(record_of(pay_runs.front()))},
            {"waiting_for_portal",
             {{"count", waiting.count}, {"amount", waiting.amount.to_string()}, {"oldest", to_json(waiting.oldest)}}},
            {"checks", outstanding_checks_view(context)},
            {"backup", last_backup_view(context)},
            {"witness", witness_view(context.shared.config.ledger.witness)},
            {"controls", controls_view(context)},
            {"return_rates", return_rates_view(context)},
            {"change_control", change_control_view(context)},
            {"undelivered", undelivered_view(context.ledger)},
            {"alerts", alert_channels_view(context)},
            {"inbox", inbox_view(context)},
            {"daemon", daemon},
            {"service", live.service ? service_view(*live.service) : json(nullptr)},
            {"rule_set", to_json(if_any(live.rule_set_sha256))},
            {"no_space", to_json(if_any(live.no_space))},
            {"reload_problems", live.reload_problems},
            {"reconciliation", reconciliation_view(context, totals)},
            {"ledger",
             {{"id", context.ledger.ledger_id()},
              {"created_at", format_instant(context.ledger.created_at())},
              {"schema_version", context.ledger.schema_version()},
              {"hosts", to_json(ledger::hosts_of(context.ledger))}}}};
}

}  // namespace drawbridge::admin
