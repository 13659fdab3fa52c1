// `drawbridge check`: everything that can be checked before the first draw is paid.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <cerrno>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

#include "alert_transports.hpp"
#include "build.hpp"
#include "console_check.hpp"
#include "delivery_targets.hpp"
#include "drawbridge/admin/identity.hpp"
#include "drawbridge/app/writers.hpp"
#include "drawbridge/config/controls.hpp"
#include "drawbridge/config/input_files.hpp"
#include "drawbridge/config/inputs.hpp"
#include "drawbridge/daemon/run_to_end.hpp"
#include "drawbridge/ledger/store/engine.hpp"
#include "drawbridge/ledger/store/server.hpp"
#include "drawbridge/text/show.hpp"
#include "ledger_uniqueness.hpp"
#include "lost_ledger.hpp"
#include "ownership.hpp"
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

// With the effective ids: access() asks about the real ones.
bool may(int what, const fs::path& path) {
    return ::faccessat(AT_FDCWD, path.c_str(), what, AT_EACCESS) == 0;
}

std::string effective_user() {
    return admin::name_of_user(::geteuid()).value_or(std::to_string(::geteuid()));
}

// Root tests as the service's user: root may read and write everything, the service may not. A configuration that is
// only being written, such as that of `drawbridge init` in root's folder, is tested as root.
void act_as_service(CheckResult& result, const fs::path& config_file, const fs::path& state_dir) {
    const bool is_root = ::geteuid() == 0;
    act_as_service_user_of(state_dir);
    if (!is_root || ::geteuid() == 0 || may(R_OK, config_file)) return;
    const bool is_in_place = config_file.string().starts_with("/etc/drawbridge/");
    result.diagnostics.push_back(
        {config_file.string(), 0, 0, "the service's user, " + effective_user() + ", cannot read this file",
         is_in_place ? "run chmod 644 " + config_file.string()
                     : "put it in place for the service, then check it again: this check was made as root",
         is_in_place ? Severity::error : Severity::warning});
    if (::seteuid(0) != 0) error(result, config_file, "cannot act as root again", "");
}

// What the daemon reads and writes in its folder. A command that root ran, or a copy, may have left it to root.
void check_owners(CheckResult& result, const fs::path& state_dir) {
    constexpr std::array names{"ledger.db",     "ledger.db-wal", "ledger.db-shm", "ledger.mark",
                               "ledger.config", "lock",          "sealing.key",   "inbox",
                               "quarantine",    "spool",         "spool/staged",  "spool/outgoing",
                               "spool/claimed", "spool/uploads", "spool/archive", "spool/manifests"};
    for (const char* name : names) {
        const auto path = state_dir / name;
        struct stat status{};
        if (::stat(path.c_str(), &status) != 0) continue;
        if (may(S_ISDIR(status.st_mode) ? R_OK | W_OK | X_OK : R_OK | W_OK, path)) continue;
        const auto why = std::generic_category().message(errno);
        error(result, path, effective_user() + " cannot read and write it: " + why,
              "if that is the service's user, run chown " + effective_user() + " " + path.string());
    }
}

// Files move between these folders by renaming.
void check_one_file_system(CheckResult& result, const fs::path& state_dir) {
    struct stat staged{}, outgoing{};
    const auto there = state_dir / "spool/outgoing";
    if (::stat((state_dir / "spool/staged").c_str(), &staged) != 0 || ::stat(there.c_str(), &outgoing) != 0) return;
    if (staged.st_dev == outgoing.st_dev) return;
    error(result, there, "it is on another file system than spool/staged, so no file can be released",
          "mount the whole spool, or nothing in it");
}

// `backup_folder`: nullopt: not known.
void check_state_dir(CheckResult& result, const fs::path& state_dir, const std::optional<fs::path>& backup_folder,
                     bool in_postgresql) {
    std::error_code ignored;
    fs::path folder = state_dir;
    const bool there = fs::exists(folder, ignored);
    if (there && !fs::is_directory(folder, ignored)) {
        return error(result, folder, "state_dir is not a folder", "name a folder");
    }
    if (!there) folder = folder.parent_path();
    while (!there && !fs::exists(folder, ignored) && folder.has_relative_path())
        folder = folder.parent_path();
    // systemd, or root, creates it.
    if (there ? !may(W_OK | X_OK, folder) : ::access(folder.c_str(), W_OK | X_OK) != 0) {
        return error(
            result, state_dir,
            there ? "the state folder is not writable" : "the state folder does not exist and cannot be created",
            errno == EROFS ? "its disk is read-only: repair it, or mount it so that it can be written"
                           : "make the user that runs drawbridge its owner");
    }
    if (there) check_owners(result, folder);
    if (there) check_one_file_system(result, folder);
    result.lines.push_back("state     " + state_dir.string() + (there ? ": writable" : ": will be created"));
    if (in_postgresql) return;
    const auto ledger_file = state_dir / "ledger.db";
    const bool has_file = fs::exists(ledger_file, ignored);
    if (const auto kept = ledger::check_not_lost(state_dir, has_file, ledger_file.string()); !kept)
        return error(result, state_dir, kept.error().message, "");
    if (has_file) return;
    if (const auto backups = backup_folder ? backups_in(*backup_folder) : std::vector<BackupFound>();
        !backups.empty()) {
        result.diagnostics.push_back({backups.front().file.string(), 0, 0,
                                      "a backup of a ledger, but " + state_dir.string() +
                                          " has none: a new ledger does not know what that one paid, and starts paused",
                                      "if that was the ledger of this office, restore it ('drawbridge restore FILE "
                                      "--reason …') before the first start; if "
                                      "it is another office's, name another backup.folder",
                                      Severity::warning});
    }
    result.lines.push_back("ledger    none yet: the first run creates one and pays the draws that are Approved then");
}

// `named`: where the key is that the configuration or systemd names.
void check_sealing_key(CheckResult& result, const config::Config& config, const std::optional<fs::path>& named) {
    const auto key = config.state_dir / "sealing.key";
    std::error_code ignored;
    result.lines.push_back(
        "sealing   " + (named                      ? "by " + named->string()
                        : fs::exists(key, ignored) ? "by " + key.string() + ", which is next to the ledger"
                        : fs::exists(config.state_dir / "ledger.db", ignored)
                            ? "no key"
                            : "no key yet: the first start creates " + key.string() + ", which is next to the ledger"));
}

// What would end every start: a file that is no ledger, another sealing key, the draws of another service.
void check_ledger_file(CheckResult& result, const config::Config& config) {
    std::error_code ignored;
    const auto file = config.state_dir / "ledger.db";
    if (config.ledger.database || fs::file_size(file, ignored) == 0 || ignored || !may(R_OK, file)) return;
    auto ledger = ledger::Ledger::open_unchanged(config.state_dir, config.ledger.sealing_key);
    if (!ledger && ledger.error().code == ErrorCode::in_use) {
        result.lines.push_back("ledger    " + file.string() + ": in use by a drawbridge that runs");
    } else if (!ledger) {
        error(result, config.file, ledger.error().message, "");
    } else if (const auto same = check_same_service(*ledger, config.service); !same) {
        error(result, config.file, same.error().message, "");
    } else {
        result.lines.push_back("ledger    " + file.string() + ": opens with this key");
    }
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
    if (code == ErrorCode::limited) return "try again later";
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
    if (files.state_dir) check_state_dir(result, *files.state_dir, std::nullopt, /*in_postgresql=*/false);
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
    const auto sealing_key = config::find_input_files(config->file).sealing_key;  // perhaps only root can see it
    act_as_service(result, config->file, config->state_dir);
    check_inputs(result, *config);
    check_state_dir(result, config->state_dir, config->backup.folder, config->ledger.database.has_value());
    check_sealing_key(result, *config, sealing_key);
    check_ledger_file(result, *config);
    if (const auto single = check_no_second_ledger(config->state_dir, config->file); !single) {
        error(result, config->file, single.error().message, "");
    }
    if (const auto alone = check_siblings(config->claims); !alone)
        error(result, config->file, alone.error().message, "");
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
