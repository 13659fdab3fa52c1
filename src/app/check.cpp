// `drawbridge check`: everything that can be checked before the first draw is paid.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <iterator>
#include <system_error>
#include <utility>

#include "alert_transports.hpp"
#include "build.hpp"
#include "console_check.hpp"
#include "delivery_targets.hpp"
#include "drawbridge/app/writers.hpp"
#include "drawbridge/config/controls.hpp"
#include "drawbridge/config/input_files.hpp"
#include "drawbridge/config/inputs.hpp"
#include "drawbridge/daemon/run_to_end.hpp"
#include "drawbridge/ledger/store/engine.hpp"
#include "drawbridge/ledger/store/server.hpp"
#include "drawbridge/text/show.hpp"
#include "ledger_uniqueness.hpp"
#include "witness_setup.hpp"

namespace drawbridge::app {
namespace {

namespace fs = std::filesystem;
using text::Severity;

void error(CheckResult& result, const fs::path& where, std::string message, std::string hint) {
    result.diagnostics.push_back({where.string(), 0, 0, std::move(message), std::move(hint), Severity::error});
}

void check_inputs(CheckResult& result, const config::Config& config) {
    auto inputs = config::load_inputs(config);
    if (!inputs) {
        std::ranges::move(inputs.error(), std::back_inserter(result.diagnostics));
        return;
    }
    std::ranges::move(inputs->warnings, std::back_inserter(result.diagnostics));
    const auto counted = [](std::size_t count, std::string_view what) {
        return text::counted(static_cast<std::int64_t>(count), what);
    };
    result.lines.push_back("rules     " + config.rules_file.string() + ": " +
                           counted(inputs->rules.rules.size(), "rule") + ", set " + inputs->rules.sha256.substr(0, 12));
    result.lines.push_back("payees    " + config.payees.file.string() + ": " +
                           counted(inputs->payees.payees().size(), "payee") + ", by " + config.payees.key);
    result.lines.push_back(
        fmt::format("changes   rules {}, payees {}{}", to_string(config.change_control.rules),
                    to_string(config.change_control.payees),
                    config.change_control.any() ? ": `drawbridge changes` lists waiting changes" : ""));
    if (config.checks) {
        result.lines.push_back("layout    " + config.checks->layout.string() + ": " +
                               counted(inputs->plan.check->layout.columns.size(), "column"));
    }
}

void check_state_dir(CheckResult& result, const fs::path& state_dir, bool in_postgresql) {
    std::error_code ignored;
    fs::path folder = state_dir;
    const bool there = fs::exists(folder, ignored);
    if (there && !fs::is_directory(folder, ignored)) {
        return error(result, folder, "state_dir is not a folder", "name a folder");
    }
    if (!there) folder = folder.parent_path();
    while (!there && !fs::exists(folder, ignored) && folder.has_relative_path())
        folder = folder.parent_path();
    if (::access(folder.c_str(), W_OK | X_OK) != 0) {
        return error(
            result, state_dir,
            there ? "the state folder is not writable" : "the state folder does not exist and cannot be created",
            "make the user that runs drawbridge its owner");
    }
    result.lines.push_back("state     " + state_dir.string() + (there ? ": writable" : ": will be created"));
    if (in_postgresql) return;
    const auto ledger_file = state_dir / "ledger.db";
    const bool has_file = fs::exists(ledger_file, ignored);
    if (const auto kept = ledger::check_not_lost(state_dir, has_file, ledger_file.string()); !kept)
        return error(result, state_dir, kept.error().message, "");
    if (has_file) return;
    result.lines.push_back("ledger    none yet: the first run creates one and pays the draws that are Approved then");
}

void check_alerts(CheckResult& result, const config::Config& config) {
    boost::asio::io_context io(1);
    const auto ways = alert_transports(io.get_executor(), config);
    if (!ways) return error(result, config.file, ways.error().message, "");
    const auto heartbeat = heartbeat_target(io.get_executor(), config);
    if (!heartbeat) return error(result, config.file, heartbeat.error().message, "");
    if (*heartbeat) result.lines.push_back("heartbeat sent to alerts.heartbeat while /readyz is ok");
    if (!config.alerts.any()) return;
    result.lines.push_back("alerts    by " + std::string(ways->webhook ? "webhook" : "") +
                           (ways->webhook && ways->mail ? " and " : "") + (ways->mail ? "mail" : "") +
                           ": `drawbridge alerts test --reason ...` sends a test");
}

// The other messages of the service's client say what to do.
std::string hint_for_service(ErrorCode code) {
    if (code == ErrorCode::not_found) return "check service.base_url";
    if (code == ErrorCode::unavailable || code == ErrorCode::timeout)
        return "check service.base_url; if it is right, ask the people who run the service or the network";
    return {};
}

void check_service(CheckResult& result, const config::Config& config) {
    boost::asio::io_context io(1);
    auto client = service::make_client(io.get_executor(), client_options(config.service));
    if (!client) return error(result, config.file, client.error().message, "");
    const auto answered = daemon::run_to_end(io, (*client)->check());
    if (!answered) {
        const auto& [code, message] = answered.error();
        const std::string& url = config.service.base_url;
        return error(result, config.file, message.starts_with(url) ? message : url + ": " + message,
                     hint_for_service(code));
    }
    result.lines.push_back("service   " + config.service.base_url + ": token and listing ok");
}

// Of a ledger in PostgreSQL. Several hosts in the URL are a cluster that fails over.
void check_ledger_server(CheckResult& result, const config::Config& config) {
    const auto address = address_of_ledger(config);
    if (!address) return;
    const auto seen = ledger::see_server(*address);
    if (!seen) return error(result, config.file, seen.error().message, "");
    result.lines.push_back(fmt::format("database  {}: PostgreSQL {}, commits wait for {}", seen->name, seen->version,
                                       seen->waits_for.empty() ? "no other server" : "standby " + seen->waits_for));
    const bool fails_over = address->url.find(',') != std::string::npos;
    if (fails_over && seen->waits_for.empty()) {
        result.diagnostics.push_back({config.file.string(), 0, 0,
                                      "ledger.url names several servers, and a commit waits for one of them only: a "
                                      "failover may lose payments that left",
                                      "set synchronous_mode and synchronous_mode_strict in Patroni",
                                      Severity::warning});
    }
}

void list_controls(CheckResult& result, const config::Config& config) {
    for (const auto& control : config::controls(config))
        result.lines.push_back("control   " + std::string(control.is_on ? "on   " : "OFF  ") + control.key + ": " +
                               control.state);
}

// A mistake in the configuration must not hide mistakes in the files that it names.
void check_named_files(CheckResult& result, const fs::path& config_file) {
    const auto files = config::find_input_files(config_file);
    std::ranges::move(config::check_input_files(files), std::back_inserter(result.diagnostics));
    if (files.state_dir) check_state_dir(result, *files.state_dir, /*in_postgresql=*/false);
}

}  // namespace

CheckResult check(const fs::path& config_file, bool online) {
    CheckResult result;
    auto config = config::load_config(config_file);
    if (!config) {
        result.exit_code = exit_configuration;
        result.diagnostics = std::move(config.error());
        check_named_files(result, config_file);
        return result;
    }
    result.lines.push_back("config    " + config->file.string());
    result.diagnostics = config->warnings;
    check_inputs(result, *config);
    check_state_dir(result, config->state_dir, config->ledger.database.has_value());
    if (const auto single = check_no_second_ledger(config->state_dir, config->file); !single) {
        error(result, config->file, single.error().message, "");
    }
    if (const auto alone = check_siblings(config->file); !alone) error(result, config->file, alone.error().message, "");
    std::ranges::move(check_witness(*config, result.lines), std::back_inserter(result.diagnostics));
    std::ranges::move(check_delivery(*config, result.lines), std::back_inserter(result.diagnostics));
    check_alerts(result, *config);
    list_controls(result, *config);
    const auto failed = [&] {
        return std::ranges::count(result.diagnostics, Severity::error, &text::Diagnostic::severity) > 0;
    };
    if (failed()) {
        result.exit_code = exit_configuration;
        return result;
    }
    if (online) {
        check_service(result, *config);
        check_ledger_server(result, *config);
        check_console(result, *config);
        std::ranges::move(try_delivery(*config, result.lines), std::back_inserter(result.diagnostics));
    }
    if (failed()) result.exit_code = exit_failed;
    return result;
}

}  // namespace drawbridge::app
