// GET /status: first what needs a person, then the state of the pipeline.
#include <utility>

#include "alerts_view.hpp"
#include "changes.hpp"
#include "checks_view.hpp"
#include "delivery_view.hpp"
#include "drawbridge/ledger/facts/deliveries.hpp"
#include "drawbridge/ledger/facts/outbox.hpp"
#include "drawbridge/ledger/reports/return_rates.hpp"
#include "drawbridge/ledger/store/engine.hpp"
#include "drawbridge/reconciliation/report.hpp"
#include "ingest.hpp"
#include "reads.hpp"
#include "upkeep.hpp"
#include "views.hpp"

namespace drawbridge::admin {
namespace {

records::File waiting_file(AdminContext& context, const ledger::FileRow& file) {
    auto record = with_makers(context.ledger, file);
    record.missed_settlement.emplace(missed_settlement(context, file));
    record.may_be_at_bank.emplace(ledger::may_have_left_before(context.ledger, file.file_id).has_value());
    return record;
}

records::NeedsAttention needs_attention(AdminContext& context) {
    records::NeedsAttention needs{.restoration = ledger::open_restoration(context.ledger),
                                  .open_exceptions = ledger::count_open_exceptions(context.ledger),
                                  .exceptions_by_reason = ledger::exception_totals(context.ledger)};
    if (auto movement = ledger::movement(context.ledger); movement && movement->paused)
        needs.paused = std::move(movement);
    for (const auto& file : ledger::payment_files(context.ledger, /*unreleased_only=*/true)) {
        if (file.state == ledger::FileState::staged || file.order)
            needs.files_waiting_for_release.push_back(waiting_file(context, file));
    }
    return needs;
}

records::ServiceHealth health_record(const service::ClientHealth& health) {
    const auto milliseconds = [](const auto& duration) {
        return duration ? std::optional<std::int64_t>(duration->count()) : std::nullopt;
    };
    return {.circuit = std::string(service::to_string(health.circuit)),
            .consecutive_failures = health.consecutive_failures,
            .last_error = if_any(health.last_error),
            .token_valid_for_ms = milliseconds(health.token_valid_for),
            .next_try_in_ms = milliseconds(health.next_try_in),
            .requests = health.requests,
            .retries = health.retries};
}

Sum sum_of(const reconciliation::StateTotal& total) {
    return {total.count, total.amount};
}

records::Balance balance(AdminContext& context, const std::vector<ledger::StateTotal>& totals) {
    std::vector<reconciliation::StateTotal> states;
    states.reserve(totals.size());
    for (const auto& total : totals)
        states.push_back({total.state, total.count, total.amount});
    const auto seen = ledger::seen_total(context.ledger);
    const auto summary =
        reconciliation::summarize(std::move(states), reconciliation::StateTotal{seen.state, seen.count, seen.amount});
    return {.line = reconciliation::to_line(summary),
            .adds_up = summary.adds_up(),
            .seen = sum_of(summary.seen),
            .finished = sum_of(summary.finished),
            .in_flight = sum_of(summary.in_flight),
            .exceptions = sum_of(summary.exceptions)};
}

std::vector<records::ReturnRate> return_rates(AdminContext& context) {
    std::vector<records::ReturnRate> all;
    for (const auto& rate : ledger::return_rates(context.ledger, context.clock.now())) {
        all.push_back({.kind = std::string(nacha::to_string(rate.what)),
                       .returned = rate.returned,
                       .entries = rate.entries,
                       .rate = rate.fraction(),
                       .limit = nacha::return_limit_per_mille(rate.what) / 1000.0,
                       .text = ledger::describe(rate)});
    }
    return all;
}

std::optional<std::string> witness_of(const config::Witness& witness) {
    if (witness.none_on_purpose) return "none";
    return witness.folder ? std::optional(witness.folder->string()) : std::nullopt;
}

records::DaemonState daemon_state(const DaemonStatus& live) {
    records::DaemonState daemon{.running = live.daemon, .next_cutoff = live.next_cutoff};
    if (live.daemon) {
        daemon.started_at = live.started_at;
        daemon.doing = live.doing;
    }
    return daemon;
}

}  // namespace

std::optional<ledger::Hosts> hosts_around(AdminContext& context) {
    if (!ledger::is_in_postgresql(context.ledger)) return std::nullopt;
    // The settings, rules and payees in force here, even if the files have changed since.
    const auto& shared = context.shared;
    return ledger::hosts_of(context.ledger,
                            {shared.config.settings_sha256, shared.rules.sha256, shared.payees.sha256()});
}

records::Status status_of(AdminContext& context) {
    DaemonStatus live = context.program.status();
    auto& ledger = context.ledger;
    const auto waiting = ledger::waiting_for_portal(ledger);
    const auto undelivered = ledger::undelivered(ledger);
    records::Status status{
        .at = context.clock.now(),
        .needs_attention = needs_attention(context),
        .states = ledger::state_totals(ledger),
        .waiting_for_portal = {waiting.count, waiting.amount, waiting.oldest},
        .checks = ledger::outstanding_checks(ledger, stale_until(context)),
        .backup = last_backup(context),
        .witness = witness_of(context.shared.config.ledger.witness),
        .controls = configured_controls(context),
        .return_rates = return_rates(context),
        .change_control = change_control(context),
        .undelivered = {undelivered.count, undelivered.oldest},
        .alerts = alert_channels(context),
        .inbox = inbox(context),
        .daemon = daemon_state(live),
        .rule_set = if_any(live.rule_set_sha256),
        .no_space = if_any(live.no_space),
        .reload_problems = std::move(live.reload_problems),
        .ledger = {.id = ledger.ledger_id(),
                   .created_at = ledger.created_at(),
                   .schema_version = ledger.schema_version(),
                   .hosts = hosts_around(context),
                   .reports = if_any(context.read_from.empty() ? live.reports_read : context.read_from)}};
    status.reconciliation = balance(context, status.states);
    for (const auto& run : ledger::last_runs(ledger))
        status.runs.push_back(record_of(run));
    if (const auto pay_runs = ledger::pay_runs(ledger, 1); !pay_runs.empty())
        status.last_pay_run = record_of(pay_runs.front());
    if (live.service) status.service = health_record(*live.service);
    return status;
}

}  // namespace drawbridge::admin
