#include "drawbridge/admin/metrics.hpp"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <iterator>
#include <optional>

#include "delivery_view.hpp"
#include "drawbridge/admin/handlers.hpp"
#include "drawbridge/ledger/facts/alerts.hpp"
#include "drawbridge/ledger/facts/invariant_checks.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/ledger/reports/draw_states.hpp"
#include "drawbridge/ledger/reports/return_rates.hpp"
#include "drawbridge/ledger/reports/totals.hpp"
#include "drawbridge/ledger/store/backups.hpp"
#include "drawbridge/ledger/store/lease.hpp"
#include "views.hpp"

namespace drawbridge::admin {
namespace {

using Gauges = prometheus::Family<prometheus::Gauge>;
using Labels = prometheus::Labels;

double seconds(Instant at) {
    return static_cast<double>(at.time_since_epoch().count()) / 1000.0;
}

double seconds(std::chrono::milliseconds length) {
    return static_cast<double>(length.count()) / 1000.0;
}

Gauges& gauges(prometheus::Registry& registry, const std::string& name, const std::string& help) {
    return prometheus::BuildGauge().Name("drawbridge_" + name).Help(help).Register(registry);
}

void set(Gauges& family, const Labels& labels, double value) {
    family.Add(labels).Set(value);
}

void set(prometheus::Registry& registry, const std::string& name, const std::string& help, double value) {
    set(gauges(registry, name, help), {}, value);
}

// For a value that only grows.
void set_counter(prometheus::Registry& registry, const std::string& name, const std::string& help, double value) {
    prometheus::BuildCounter().Name("drawbridge_" + name).Help(help).Register(registry).Add({}).Increment(value);
}

double number(std::int64_t count) {
    return static_cast<double>(count);
}

const prometheus::Histogram::BucketBoundaries request_buckets = {0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30};
const prometheus::Histogram::BucketBoundaries step_buckets = {0.01, 0.1, 0.5, 1, 5, 15, 60, 300, 900};

}  // namespace

struct Meter::Counts {
    prometheus::Registry registry;
    prometheus::Family<prometheus::Counter>& requests =
        prometheus::BuildCounter()
            .Name("drawbridge_requests_total")
            .Help("Requests to the Draws Service by endpoint and outcome.")
            .Register(registry);
    prometheus::Family<prometheus::Histogram>& request_seconds =
        prometheus::BuildHistogram()
            .Name("drawbridge_request_duration_seconds")
            .Help("Duration of requests to the Draws Service, including failed ones.")
            .Register(registry);
    prometheus::Family<prometheus::Counter>& step_runs = prometheus::BuildCounter()
                                                             .Name("drawbridge_step_runs_total")
                                                             .Help("Runs of each step by outcome.")
                                                             .Register(registry);
    prometheus::Family<prometheus::Histogram>& step_seconds = prometheus::BuildHistogram()
                                                                  .Name("drawbridge_step_duration_seconds")
                                                                  .Help("Duration of the runs of each step.")
                                                                  .Register(registry);
    prometheus::Family<prometheus::Counter>& report_queries =
        prometheus::BuildCounter()
            .Name("drawbridge_report_queries_total")
            .Help("Report queries by the server that answered: a standby, or the writer.")
            .Register(registry);
};

Meter::Meter() : counts_(std::make_unique<Counts>()) {}
Meter::~Meter() = default;

void Meter::request(std::string_view endpoint, std::string_view outcome, std::chrono::milliseconds took) {
    counts_->requests.Add({{"endpoint", std::string(endpoint)}, {"outcome", std::string(outcome)}}).Increment();
    counts_->request_seconds.Add({{"endpoint", std::string(endpoint)}}, request_buckets).Observe(seconds(took));
}

void Meter::step(Step step, bool ok, std::chrono::milliseconds took) {
    const std::string name(to_string(step));
    counts_->step_runs.Add({{"step", name}, {"outcome", ok ? "ok" : "failed"}}).Increment();
    counts_->step_seconds.Add({{"step", name}}, step_buckets).Observe(seconds(took));
}

void Meter::report(bool answered_by_standby) {
    counts_->report_queries.Add({{"server", answered_by_standby ? "standby" : "writer"}}).Increment();
}

namespace {

void add_states(prometheus::Registry& registry, const std::vector<ledger::StateTotal>& totals, Instant now) {
    auto& draws = gauges(registry, "draws", "Draws by state.");
    auto& cents = gauges(registry, "draws_amount_cents", "Total of the draws by state, in cents.");
    auto& ages = gauges(registry, "oldest_draw_age_seconds", "Time since the last change of the oldest draw by state.");
    for (const auto& total : totals) {
        set(draws, {{"state", total.state}}, number(total.count));
        set(cents, {{"state", total.state}}, number(total.amount.cents()));
        set(ages, {{"state", total.state}}, total.oldest ? seconds(now - *total.oldest) : 0);
    }
}

void add_attention(prometheus::Registry& registry, AdminContext& context, Instant now) {
    std::int64_t open = 0;
    auto& by_reason = gauges(registry, "open_exceptions_by_reason", "Open exceptions by reason.");
    for (const auto& total : ledger::exception_totals(context.ledger)) {
        open += total.count;
        set(by_reason, {{"step", total.step}, {"reason", total.reason_code}}, number(total.count));
    }
    set(registry, "open_exceptions", "Open exceptions.", number(open));
    set(registry, "paused", "1: all movement of money is paused.", ledger::is_paused(context.ledger) ? 1 : 0);
    const auto files = ledger::file_totals(context.ledger);
    auto& by_state = gauges(registry, "payment_files", "Payment files by state.");
    for (const auto& [state, count] : files.by_state)
        set(by_state, {{"state", std::string(ledger::to_string(state))}}, number(count));
    set(registry, "oldest_unreleased_file_age_seconds", "Age of the oldest staged file.",
        files.oldest_staged ? seconds(now - *files.oldest_staged) : 0);
    auto& alerts = gauges(registry, "alerts_waiting", "Alerts that are not sent yet, by channel.");
    auto& alert_ages = gauges(registry, "oldest_waiting_alert_age_seconds", "Age of the oldest such alert.");
    for (const auto& channel : context.program.alert_channels()) {
        set(alerts, {{"channel", channel}}, 0);
        set(alert_ages, {{"channel", channel}}, 0);
    }
    for (const auto& waiting : ledger::waiting_alerts(context.ledger)) {
        const Labels labels = {{"channel", std::string(ledger::to_string(waiting.channel))}};
        set(alerts, labels, number(waiting.count));
        set(alert_ages, labels, seconds(now - waiting.oldest));
    }
}

void add_step_runs(prometheus::Registry& registry, AdminContext& context) {
    auto& last = gauges(registry, "step_last_run_timestamp_seconds", "When each step last ended.");
    auto& well = gauges(registry, "step_last_success_timestamp_seconds", "When each step last succeeded.");
    for (const auto& run : ledger::last_runs(context.ledger)) {
        const Labels labels = {{"step", std::string(to_string(run.last.step))}};
        set(last, labels, seconds(run.last.ended_at));
        if (run.last_ok) set(well, labels, seconds(*run.last_ok));
    }
}

void add_return_rates(prometheus::Registry& registry, AdminContext& context, Instant now) {
    auto& rate = gauges(registry, "ach_return_rate", "Returned fraction of the ACH entries of the last 60 days.");
    auto& limit = gauges(registry, "ach_return_rate_limit", "Nacha threshold of the return rate.");
    for (const auto& one : ledger::return_rates(context.ledger, now)) {
        const Labels labels = {{"class", std::string(nacha::to_string(one.what))}};
        set(rate, labels, one.fraction());
        set(limit, labels, nacha::return_limit_per_mille(one.what) / 1000.0);
    }
}

void add_checks(prometheus::Registry& registry, AdminContext& context) {
    auto& violations = gauges(
        registry, "invariant_violations",
        "Violations of each money-safety invariant in the last check. Invariant 0 is the ledger's own integrity.");
    std::optional<Instant> oldest;
    for (const auto& check : ledger::last_invariant_checks(context.ledger)) {
        set(violations, {{"invariant", std::to_string(check.number)}}, number(check.violations));
        if (!oldest || check.checked_at < *oldest) oldest = check.checked_at;
    }
    if (oldest) {
        set(registry, "invariants_last_check_timestamp_seconds", "When the invariants were last checked.",
            seconds(*oldest));
    }
    if (const auto backup = ledger::last_backup(context.ledger)) {
        set(registry, "backup_last_success_timestamp_seconds",
            "When the ledger was last backed up and the copy verified.", seconds(backup->at));
    }
}

// Only of a ledger in PostgreSQL.
void add_hosts(prometheus::Registry& registry, AdminContext& context, Instant now) {
    const auto hosts = hosts_around(context);
    if (!hosts) return;
    set(registry, "ledger_writer_since_timestamp_seconds", "When this process became the ledger's writer.",
        seconds(hosts->since));
    set_counter(registry, "ledger_writers_total", "How many processes have been the ledger's writer.",
                number(hosts->takeovers));
    set_counter(registry, "ledger_slow_commits_total",
                "Commits of this process that took more than half of its lease on the ledger.",
                number(ledger::slow_commits(context.ledger)));
    auto& seen = gauges(registry, "ledger_standby_seen_seconds", "Time since each standby of Drawbridge was seen.");
    for (const auto& standby : hosts->standbys)
        set(seen, {{"host", standby.host}}, seconds(now - standby.seen_at));
    auto& differs = gauges(registry, "ledger_standby_differs",
                           "1: the standby would work with other settings, rules or payees than this process.");
    for (const auto& standby : hosts->standbys)
        set(differs, {{"host", standby.host}}, standby.differs.empty() ? 0 : 1);
    set(registry, "ledger_server_standbys", "Connected standbys of the PostgreSQL server.",
        number(static_cast<std::int64_t>(hosts->server_standbys.size())));
    auto& lag = gauges(registry, "ledger_server_standby_lag_seconds", "Lag of each standby of the PostgreSQL server.");
    for (const auto& standby : hosts->server_standbys) {
        constexpr double per_second = 1000;
        if (standby.lag_ms) set(lag, {{"name", standby.name}}, number(*standby.lag_ms) / per_second);
    }
}

void add_daemon_status(prometheus::Registry& registry, const DaemonStatus& live) {
    if (live.reloaded_at) {
        set(registry, "config_last_reload_success",
            "1: the rules and payees that were read last, at startup or by a reload, are in force.",
            live.reload_problems.empty() ? 1 : 0);
    }
    if (live.reloaded_well_at) {
        set(registry, "config_last_reload_success_timestamp_seconds",
            "When rules and payees were last loaded successfully.", seconds(*live.reloaded_well_at));
    }
    if (!live.daemon) return;
    set(registry, "start_timestamp_seconds", "When the daemon was started.", seconds(live.started_at));
    set(registry, "work_loop_idle_seconds", "Time since the last ping of the work loop.", seconds(live.idle));
    if (live.service) {
        set(registry, "service_circuit_open", "1: the Draws Service fails, and Drawbridge waits before it retries.",
            live.service->circuit == service::CircuitState::closed ? 0 : 1);
    }
}

}  // namespace

std::string metrics_text(AdminContext& context) {
    const Instant now = context.clock.now();
    prometheus::Registry registry;
    add_states(registry, ledger::state_totals(context.ledger), now);
    add_attention(registry, context, now);
    add_step_runs(registry, context);
    add_return_rates(registry, context, now);
    add_checks(registry, context);
    add_delivery_metrics(registry, context);
    add_hosts(registry, context, now);
    add_daemon_status(registry, context.program.status());
    auto families = registry.Collect();
    if (context.meter != nullptr) {
        auto counted = context.meter->counts_->registry.Collect();
        families.insert(families.end(), std::make_move_iterator(counted.begin()),
                        std::make_move_iterator(counted.end()));
    }
    return prometheus::TextSerializer().Serialize(families);
}

}  // namespace drawbridge::admin
