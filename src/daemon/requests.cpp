#include "requests.hpp"

#include <utility>

#include "archiving.hpp"
#include "backup.hpp"
#include "witness_setup.hpp"

namespace drawbridge::daemon {
namespace {

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

admin::AdminContext admin_context(Application& app, admin::Program& program) {
    std::vector<std::string> channels;
    for (const auto channel : app.alerts->channels())
        channels.emplace_back(ledger::to_string(channel));
    return {
        .shared = *app.shared,
        .turn = app.turn,
        .program = program,
        .state_dir = app.config.state_dir,
        .alert_channels = std::move(channels),
        .test_alerts = [&app](std::string reason,
                              ledger::Stamp stamp) { return test_alerts(app, std::move(reason), std::move(stamp)); },
        .backup =
            [&app](std::string file, ledger::Stamp by) {
                return make_backup(app, BackupOrder{std::move(file), std::move(by), /*scheduled=*/false});
            },
        .controls = config::controls(app.config),
        .change_control = app.config.change_control,
        .witness = describe_witness(app.config.ledger.witness),
        .console_settings = {app.config.console.origin, app.config.console.site, app.config.console.signed_release_only,
                             app.config.console.release_code_above},
        .list_archive = [&app] { return list_archive(app); },
        .read_archived = [&app](std::string path, std::uint64_t offset,
                                std::size_t most) { return read_archived(app, std::move(path), offset, most); }};
}

}  // namespace drawbridge::daemon
