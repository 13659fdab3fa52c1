#include "requests.hpp"

#include <utility>

#include "archiving.hpp"
#include "backup.hpp"
#include "witness_setup.hpp"

#include "drawbridge/ledger/makers.hpp"
#include "drawbridge/ledger/returns.hpp"
#include "drawbridge/ledger/runs.hpp"
#include "drawbridge/pipeline/acknowledge.hpp"
#include "drawbridge/pipeline/check_orders.hpp"
#include "drawbridge/pipeline/deliver.hpp"
#include "drawbridge/pipeline/ingest.hpp"
#include "drawbridge/pipeline/payment_files.hpp"

namespace drawbridge::daemon {
namespace {

// The pipeline context for an act that this person ordered.
pipeline::Context context_for(Application& app, const ledger::Stamp& by) {
    return {*app.shared, by};
}

asio::awaitable<Result<std::vector<admin::AlertTest>>> test_alerts(Application& app, std::string reason,
                                                                   ledger::Stamp stamp) {
    const auto deliveries = co_await app.alerts->test(std::move(reason), std::move(stamp));
    if (!deliveries) co_return std::unexpected(deliveries.error());
    std::vector<admin::AlertTest> tests;
    for (const auto& delivery : *deliveries)
        tests.push_back({std::string(ledger::to_string(delivery.channel)), delivery.error});
    co_return Result<std::vector<admin::AlertTest>>(std::move(tests));
}

}  // namespace

asio::awaitable<Result<admin::PayOutcome>> pay_for(Application& app, ledger::Stamp by, std::string reason) {
    if (ledger::is_paused(app.ledger)) {
        co_return fail(ErrorCode::conflict, "all movement of money is paused: run `drawbridge resume` first");
    }
    if (auto left = ledger::check_leaves_releaser(app.ledger, ledger::draws_to_pay(app.ledger), by); !left)
        co_return std::unexpected(left.error());
    auto context = context_for(app, by);
    app.ledger.transaction([&] { ledger::audit(app.ledger, context.stamp(), "pay.ordered", "step pay", reason); });
    auto report = co_await pipeline::pay(context);
    admin::PayOutcome outcome;
    outcome.ok = report.ok;
    outcome.summary = std::move(report.summary);
    outcome.problems = std::move(report.problems);
    co_return Result<admin::PayOutcome>(std::move(outcome));
}

asio::awaitable<Result<pipeline::FileOutcome>> take_for(Application& app, spool::ClaimedFile file,
                                                        std::size_t lines_wanted, ledger::Stamp by) {
    auto context = context_for(app, by);
    auto outcome = co_await pipeline::import_file(context, std::move(file), lines_wanted);
    co_return outcome;
}

asio::awaitable<Result<ledger::FileRow>> release_for(Application& app, std::string name, std::string reason,
                                                     ledger::Stamp by) {
    auto context = context_for(app, by);
    auto released = co_await pipeline::release_file(context, std::move(name), std::move(reason), std::move(by));
    co_return released;
}

admin::AdminContext admin_context(Application& app) {
    std::vector<std::string> channels;
    for (const auto channel : app.alerts->channels())
        channels.emplace_back(ledger::to_string(channel));
    return {
        .ledger = app.ledger,
        .clock = app.clock,
        .state_dir = app.config.state_dir,
        .daemon_status = {},
        .pay = {},
        .release = {},
        .void_file =
            [&app](const std::string& name, const std::string& reason, const ledger::Stamp& stamp) {
                auto context = context_for(app, stamp);
                return pipeline::void_file(context, name, reason, stamp);
            },
        .void_payment = [&app](std::int64_t payment_id, const std::string& reason,
                               const ledger::Stamp& stamp) -> Result<admin::VoidedPayment> {
            auto context = context_for(app, stamp);
            auto voided = pipeline::void_payment(context, payment_id, reason, stamp);
            if (!voided) return std::unexpected(voided.error());
            return admin::VoidedPayment{std::move(voided->file), voided->draw_id};
        },
        .reload = {},
        .rules = [&app]() -> const rules::RuleSet& { return app.context->rules; },
        .zone = app.config.pay.timezone,
        .payee_key = find_draw_field(app.config.payees.key),
        .order_check =
            [&app](std::int64_t number, checks::CheckAction action, const std::string& reason,
                   const ledger::Stamp& stamp) {
                auto context = context_for(app, stamp);
                return pipeline::order_check(context, number, action, reason, stamp);
            },
        .reissue =
            [&app](DrawId id, const std::string& reason, const ledger::Stamp& stamp) {
                return app.ledger.transaction(
                    [&] { return ledger::order_reissue(app.ledger, id, app.context->payees, reason, stamp); });
            },
        .forecast = [&app](DrawId id) { return forecast(app, id); },
        .stale_until =
            [&app] {
                const auto& settings = app.context->settings;
                return pipeline::stale_until(settings.plan.zone, settings.checks_stale_after, app.clock.now());
            },
        .calendar = [&app](BusinessDate from, BusinessDate to) { return calendar_days(app, from, to); },
        .next_settlement = [&app] { return next_settlement(app); },
        .settlement_deadline = [&app](const ledger::FileRow& file) { return settlement_deadline(app, file); },
        .record_delivery_outcome =
            [&app](const std::string& name, bool again, const std::string& reason, const ledger::Stamp& stamp) {
                const auto how = again ? pipeline::DeliveryResolution::again : pipeline::DeliveryResolution::by_hand;
                auto context = context_for(app, stamp);
                return pipeline::resolve_delivery(context, name, how, reason, stamp);
            },
        .acknowledge =
            [&app](const statements::Acknowledgment& said, const std::string& reason, const ledger::Stamp& stamp) {
                auto context = context_for(app, stamp);
                return pipeline::acknowledge(context, said, reason, stamp);
            },
        .alert_channels = std::move(channels),
        .test_alerts = [&app](std::string reason,
                              ledger::Stamp stamp) { return test_alerts(app, std::move(reason), std::move(stamp)); },
        .last_backup = [&app]() -> std::optional<Instant> {
            const auto newest = ledger::last_backup(app.ledger);
            return newest ? std::optional(newest->at) : std::nullopt;
        },
        .spool = &app.spool,
        .max_upload_bytes = app.config.confirmations.max_file_bytes,
        .scan_inbox = [&app] { return app.spool.scan_inbox(app.config.confirmations.quiet_period, app.clock.now()); },
        .check_profile = [&app](const std::string& profile) { return pipeline::check_profile(*app.context, profile); },
        .preview_file =
            [&app](std::string upload, std::string name, std::string profile, std::size_t lines_wanted) {
                return pipeline::preview_upload(*app.context, std::move(upload), std::move(name), std::move(profile),
                                                lines_wanted);
            },
        .take_file = {},
        .backup =
            [&app](std::string file, ledger::Stamp by) {
                return make_backup(app, BackupOrder{std::move(file), std::move(by), /*scheduled=*/false});
            },
        .controls = config::controls(app.config),
        .change_control = app.config.change_control,
        .witness = describe_witness(app.config.ledger.witness),
        .manifests =
            [&app] {
                std::vector<reconciliation::ManifestFile> files;
                for (auto& file : app.spool.manifests())
                    files.push_back({std::move(file.name), std::move(file.bytes)});
                return reconciliation::read_manifests(files);
            },
        .console_settings = {app.config.console.origin, app.config.console.site, app.config.console.signed_release_only,
                             app.config.console.device_bound_keys_only, app.config.console.release_code_above},
        .list_archive = [&app] { return list_archive(app); },
        .read_archived = [&app](std::string path, std::uint64_t offset,
                                std::size_t most) { return read_archived(app, std::move(path), offset, most); }};
}

}  // namespace drawbridge::daemon
