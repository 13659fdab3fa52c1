#include "metrics.hpp"

#include <prometheus/gauge.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include "delivery_view.hpp"
#include "drawbridge/ledger/exceptions.hpp"
#include "drawbridge/ledger/runs.hpp"
#include "drawbridge/ledger/stages.hpp"

namespace drawbridge::admin {
namespace {

void set(prometheus::Registry& registry, const std::string& name, const std::string& help, double value) {
    prometheus::BuildGauge().Name(name).Help(help).Register(registry).Add({}).Set(value);
}

double seconds(Instant at) {
    return static_cast<double>(at.time_since_epoch().count()) / 1000.0;
}

}  // namespace

std::string metrics_text(AdminContext& context) {
    prometheus::Registry registry;
    auto& draws = prometheus::BuildGauge().Name("drawbridge_draws").Help("Draws by stage.").Register(registry);
    auto& cents = prometheus::BuildGauge()
                      .Name("drawbridge_draws_amount_cents")
                      .Help("What the draws of a stage come to, in cents.")
                      .Register(registry);
    for (const auto& total : ledger::stage_totals(context.ledger)) {
        draws.Add({{"stage", total.stage}}).Set(static_cast<double>(total.count));
        cents.Add({{"stage", total.stage}}).Set(static_cast<double>(total.amount.cents()));
    }
    set(registry, "drawbridge_open_exceptions", "Exceptions that wait for a person.",
        static_cast<double>(ledger::count_open_exceptions(context.ledger)));
    set(registry, "drawbridge_paused", "1: all movement of money is paused.",
        ledger::is_paused(context.ledger) ? 1 : 0);
    add_delivery_metrics(registry, context);
    const Live live = context.live();
    if (live.reloaded_at) {
        set(registry, "drawbridge_config_last_reload_success",
            "1: what was read last, at the start or by a reload, is in force.", live.reload_problems.empty() ? 1 : 0);
    }
    if (live.reloaded_well_at) {
        set(registry, "drawbridge_config_last_reload_success_timestamp_seconds",
            "When rules and payees were last read and taken.", seconds(*live.reloaded_well_at));
    }
    return prometheus::TextSerializer().Serialize(registry.Collect());
}

}  // namespace drawbridge::admin
