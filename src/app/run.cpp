// `drawbridge run`.
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

#include "drawbridge/config/read_file.hpp"
#include "drawbridge/daemon/daemon.hpp"
#include "drawbridge/daemon/system_clock.hpp"
#include "drawbridge/daemon/systemd.hpp"
#include "drawbridge/domain/digest.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/ledger/store/standby.hpp"
#include "drawbridge/pipeline/mirror.hpp"
#include "drawbridge/text/sanitize.hpp"
#include "in_process.hpp"

namespace drawbridge::app {
namespace {

// While another host writes the ledger: brings the files of this host up to it. Error: they cannot be.
Result<void> mirror_ledger(const std::filesystem::path& config_file, pipeline::Mirrored& mirrored) {
    const auto config = config::load_config(config_file);
    if (!config) return {};
    const auto address = address_of_ledger(*config);
    if (!address) return {};
    auto reader = ledger::open_reader(config->state_dir, *address, config->ledger.sealing_key);
    // A process of this host has the state folder: the files are those of the writer.
    if (!reader && reader.error().code == ErrorCode::in_use) return {};
    if (!reader) return std::unexpected(reader.error());
    spool::Spool spool(config->state_dir);
    const auto digest = [](const std::filesystem::path& file) {
        const auto text = config::read_file(file);
        return text ? sha256_hex(*text) : std::string();
    };
    return pipeline::mirror(*reader, spool, config->pay.timezone,
                            {config->settings_sha256, digest(config->rules_file), digest(config->payees.file)},
                            daemon::SystemClock().now(), mirrored);
}

// For --standby: retries until the process that uses the ledger exits. Nothing is written to the ledger meanwhile but
// that this process waits, so a signal ends the wait at once. Each try reads the configuration again.
std::expected<Built, StartFailure> build_when_free(const std::filesystem::path& config_file) {
    constexpr std::chrono::milliseconds retry_interval{500};
    daemon::Systemd systemd;
    std::string last_message;
    pipeline::Mirrored mirrored;
    for (;;) {
        auto built = build(config_file, Purpose::work);
        if (built || built.error().exit_code != exit_locked) return built;
        std::string message = built.error().message;
        if (auto kept = mirror_ledger(config_file, mirrored); !kept) {
            if (kept.error().code == ErrorCode::unauthorized)
                return std::unexpected(StartFailure{exit_configuration, kept.error().message});
            message += "; " + kept.error().message;
        }
        if (last_message != message) {
            last_message = std::move(message);
            std::fprintf(stderr, "drawbridge: standing by: %s\n", last_message.c_str());
            systemd.ready();
            systemd.status("standing by: " + last_message);
        }
        systemd.alive();
        std::this_thread::sleep_for(retry_interval);
    }
}

// Made, and made anew after a failure, on the thread that asks.
daemon::AnswerReport report_answers(const daemon::Application& application) {
    if (!application.read_server) return {};
    return [reader = std::make_shared<ReportReader>(application.config.file),
            settings = application.config.settings_sha256](const admin::Request& request,
                                                           const ledger::Position& written) -> Result<admin::Response> {
        auto response = reader->answer(request, ReportReader::Expected{written, settings});
        if (!response) return fail(ErrorCode::unavailable, response.error().message);
        return *std::move(response);
    };
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
    return daemon::run(application, log, report_answers(application)) ? exit_ok : exit_failed;
}

}  // namespace drawbridge::app
