// `drawbridge run`.
#include <chrono>
#include <cstdio>
#include <exception>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <utility>

#include "drawbridge/config/read_file.hpp"
#include "drawbridge/daemon/daemon.hpp"
#include "drawbridge/daemon/system_clock.hpp"
#include "drawbridge/daemon/systemd.hpp"
#include "drawbridge/domain/digest.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/ledger/store/disk_space.hpp"
#include "drawbridge/ledger/store/read_server.hpp"
#include "drawbridge/ledger/store/standby.hpp"
#include "drawbridge/pipeline/mirror.hpp"
#include "drawbridge/text/sanitize.hpp"
#include "in_process.hpp"

namespace drawbridge::app {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds retry_interval{500};
// While the ledger's server is away, everything waits for its return.
constexpr std::chrono::milliseconds retry_interval_without_server{200};
// When the server is back, the process that wrote before has so long to come back too: it need not wait until a lease
// is over, and the files are on its host.
constexpr std::chrono::seconds precedence{3};

// Tries to open the ledger until that succeeds or cannot succeed: while another process uses it (with --standby), and
// while its server is away. Each try reads the configuration again. Nothing is written to the ledger meanwhile but that
// this process waits, so a signal ends the wait at once.
class Start {
  public:
    Start(std::filesystem::path config_file, Standby standby)
        : config_file_(std::move(config_file)), standby_(standby) {}

    std::expected<Built, StartFailure> build_when_free() {
        if (standby_ == Standby::no) wait_for_other_process(config_file_);
        for (;;) {
            auto built = build(config_file_, Purpose::work);
            if (built || !may_pass(built.error())) return built;
            const bool is_server_away = built.error().is_server_away;
            std::string message = built.error().message;
            if (standby_ == Standby::yes && (has_stood_by_ || !is_server_away)) {
                auto kept = is_server_away ? give_precedence() : mirror();
                if (!kept && kept.error().code == ErrorCode::unauthorized)
                    return std::unexpected(StartFailure{exit_configuration, kept.error().message});
                if (!kept && !is_server_away) message += "; " + kept.error().message;
            }
            say((is_server_away ? "waiting for the ledger's server: " : "standing by: ") + message);
            std::this_thread::sleep_for(is_server_away ? retry_interval_without_server : retry_interval);
        }
    }

  private:
    // A server that was never reached is more likely misnamed than away. A process that has stood by outlasts a
    // mistake in its rules or payees: they may be half written, and it must be there when it is needed.
    [[nodiscard]] bool may_pass(const StartFailure& failure) const {
        const bool is_configuration = failure.exit_code == exit_configuration;
        if (standby_ == Standby::yes && has_stood_by_ && is_configuration) return true;
        if (standby_ == Standby::yes) return failure.exit_code == exit_locked || failure.is_server_away;
        if (!failure.is_server_away) return false;
        const auto config = config::load_config(config_file_);
        return config && ledger::has_ledger(config->state_dir);
    }

    // While another host writes the ledger: brings the files of this host up to it. Error: they cannot be.
    Result<void> mirror() {
        const auto config = config::load_config(config_file_);
        if (!config) return {};
        const auto address = address_of_ledger(*config);
        if (!address) return {};
        auto reader = ledger::open_reader(config->state_dir, *address, config->ledger.sealing_key);
        // A process of this host has the state folder: the files are those of the writer.
        if (!reader && reader.error().code == ErrorCode::in_use) return {};
        if (!reader) return std::unexpected(reader.error());
        has_stood_by_ = true;
        spool::Spool spool(config->state_dir);
        const auto digest = [](const std::filesystem::path& file) {
            const auto text = config::read_file(file, config::max_payee_bytes);
            return text ? sha256_hex(*text) : std::string();
        };
        try {
            return pipeline::mirror(*reader, spool, config->pay.timezone,
                                    {config->settings_sha256, digest(config->rules_file), digest(config->payees.file)},
                                    daemon::SystemClock().now(), mirrored_);
        } catch (const std::exception& failure) {
            if (auto full = ledger::no_space(config->state_dir, failure)) return fail(ErrorCode::conflict, *full);
            if (!ledger::may_be_read_again(failure)) throw;
            mirrored_ = {};  // the server that is there next may have less
            return fail(ErrorCode::unavailable, failure.what());
        }
    }

    // Returns when the server has been back for `precedence`.
    Result<void> give_precedence() {
        std::optional<steady_clock::time_point> is_back_since;
        while (!is_back_since || steady_clock::now() - *is_back_since < precedence) {
            auto kept = mirror();
            if (!kept && kept.error().code == ErrorCode::unauthorized) return kept;
            if (!kept && kept.error().code == ErrorCode::unavailable) {
                say("waiting for the ledger's server: " + kept.error().message);
                is_back_since.reset();
            } else if (!is_back_since) {
                is_back_since = steady_clock::now();
            }
            std::this_thread::sleep_for(retry_interval_without_server);
        }
        return {};
    }

    void say(const std::string& message) {
        if (last_message_ != message) {
            last_message_ = message;
            std::fprintf(stderr, "drawbridge: %s\n", text::for_log(message).c_str());
            systemd_.ready();
            systemd_.status(message);
        }
        systemd_.alive();
    }

    std::filesystem::path config_file_;
    Standby standby_;
    daemon::Systemd systemd_;
    std::string last_message_;
    pipeline::Mirrored mirrored_;
    bool has_stood_by_ = false;  // for a process of another host
};

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
    const auto built = Start(config_file, standby).build_when_free();
    if (!built) {
        std::istringstream lines(built.error().message);  // one for each mistake in the configuration
        for (std::string line; std::getline(lines, line);)
            std::fprintf(stderr, "drawbridge: %s\n", text::for_log(line).c_str());
        return built.error().exit_code;
    }
    auto& application = *built->application;
    const daemon::Log log = daemon::make_log(application.config.log_level, application.config.log_target);
    for (const auto& warning : application.warnings)
        log->warn("{}", warning.to_string());
    if (ledger::last_runs(application.ledger).empty()) {
        log->warn(
            "created a new ledger in {}: Drawbridge pays every draw that the service shows as Approved, no matter who "
            "approved it; before the first cut-off, mark draws that were paid by other means as Disbursed",
            application.config.state_dir.string());
    }
    return daemon::run(application, log, report_answers(application)) ? exit_ok : exit_failed;
}

}  // namespace drawbridge::app
