// `drawbridge run`.
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

#include "build.hpp"
#include "drawbridge/daemon/daemon.hpp"
#include "drawbridge/daemon/systemd.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/text/sanitize.hpp"

namespace drawbridge::app {
namespace {

// For --standby: retries until the process that uses the ledger exits. Nothing is open meanwhile, so a signal ends the
// wait at once. Each try reads the configuration again.
std::expected<Built, StartFailure> build_when_free(const std::filesystem::path& config_file) {
    constexpr std::chrono::seconds retry_interval{2};
    daemon::Systemd systemd;
    std::string last_message;
    for (;;) {
        auto built = build(config_file, Purpose::work);
        if (built || built.error().exit_code != exit_locked) return built;
        if (last_message != built.error().message) {
            last_message = built.error().message;
            std::fprintf(stderr, "drawbridge: standing by: %s\n", last_message.c_str());
            systemd.ready();
            systemd.status("standing by: " + last_message);
        }
        systemd.alive();
        std::this_thread::sleep_for(retry_interval);
    }
}

}  // namespace

int run(const std::filesystem::path& config_file, Standby standby) {
    const auto built = standby == Standby::yes ? build_when_free(config_file) : build(config_file, Purpose::work);
    if (!built) {
        std::fprintf(stderr, "drawbridge: %s\n", text::for_log(built.error().message).c_str());
        return built.error().exit_code;
    }
    auto& application = *built->application;
    const daemon::Log log = daemon::make_log(application.config.log_level, application.config.log_target);
    for (const auto& warning : application.warnings)
        log->warn("{}", warning.to_string());
    if (ledger::last_runs(application.ledger).empty()) {
        log->warn(
            "created a new ledger in {}: Drawbridge pays every draw that the service shows as Approved, whoever "
            "approved it; before the first cut-off, mark draws that were paid by other means as Disbursed",
            application.config.state_dir.string());
    }
    return daemon::run(application, log) ? exit_ok : exit_failed;
}

}  // namespace drawbridge::app
