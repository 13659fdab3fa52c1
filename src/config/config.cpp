#include "drawbridge/config/config.hpp"

#include <sys/un.h>

#include <algorithm>
#include <utility>

#include "drawbridge/config/input_files.hpp"
#include "drawbridge/config/read_file.hpp"
#include "drawbridge/config/settings.hpp"
#include "drawbridge/domain/draw.hpp"
#include "drawbridge/text/yaml.hpp"
#include "secret_files.hpp"
#include "sections.hpp"

namespace drawbridge::config {
namespace {

namespace fs = std::filesystem;
using std::chrono::hours;
using std::chrono::milliseconds;
using text::Diagnostic;
using text::Diagnostics;
using text::Severity;
using text::YamlNode;

constexpr std::pair<std::string_view, LogLevel> log_levels[] = {
    {"info", LogLevel::info}, {"trace", LogLevel::trace}, {"debug", LogLevel::debug},
    {"warn", LogLevel::warn}, {"error", LogLevel::error},
};

constexpr std::pair<std::string_view, LogTarget> log_targets[] = {
    {"auto", LogTarget::automatic},
    {"text", LogTarget::text},
    {"json", LogTarget::json},
    {"journal", LogTarget::journal},
};

constexpr std::pair<std::string_view, Control> controls[] = {
    {"off", Control::off},
    {"second_person", Control::second_person},
};

// `change_control: second_person` sets both keys.
ChangeControl read_change_control(const Section& root) {
    const std::vector<std::pair<std::string_view, Control>> choices(std::begin(controls), std::end(controls));
    if (const YamlNode* node = root.find("change_control"); node != nullptr && node->kind() == YamlNode::Kind::scalar) {
        const Control both = root.choice<Control>("change_control", choices);
        return {both, both};
    }
    const Section section = root.child("change_control");
    return {section.choice<Control>("rules", choices), section.choice<Control>("payees", choices)};
}

Payees read_payees(const Section& root, const Origin& origin) {
    const Section section = root.child("payees");
    Payees payees;
    payees.file = origin.resolve(section.text("file", "payees.csv"));
    payees.key = section.text("key", payees.key);
    const DrawField* field = find_draw_field(payees.key);
    if (field != nullptr && field->kind == FieldKind::text) return payees;
    std::vector<std::string_view> text_fields;
    for (const DrawField& candidate : draw_fields()) {
        if (candidate.kind == FieldKind::text) text_fields.push_back(candidate.name);
    }
    const std::string_view suggestion = text::closest_match(payees.key, text_fields);
    section.reader().error(*section.find("key"), "payees.key: '" + payees.key + "' is not a text field of a draw",
                           suggestion.empty() ? "use the field that names the payee, for example fieldA"
                                              : "did you mean '" + std::string(suggestion) + "'?");
    return payees;
}

Poll read_poll(const Section& root) {
    const Section section = root.child("poll");
    Poll poll;
    poll.every = section.duration("every");
    poll.full_sweep_every = section.duration("full_sweep_every");
    if (poll.full_sweep_every < poll.every) {
        const YamlNode* node = section.find(section.find("full_sweep_every") != nullptr ? "full_sweep_every" : "every");
        section.reader().error(*node, "poll.full_sweep_every is shorter than poll.every",
                               "a full sweep replaces a poll: make full_sweep_every the longer one");
    }
    return poll;
}

Backup read_backup(const Section& root, const Origin& origin, const fs::path& state_dir) {
    const Section section = root.child("backup");
    Backup backup;
    backup.every = section.duration("every");
    backup.folder =
        section.find("folder") == nullptr ? state_dir / "backups" : origin.resolve(section.text("folder", "."));
    backup.keep = static_cast<int>(section.integer("keep"));
    if (const YamlNode* node = section.find("at")) {
        const auto text = section.text("at", "02:00");
        if (const auto at = parse_time_of_day(text)) {
            backup.at = *at;
        } else {
            section.reader().error(*node, "backup.at: '" + text + "' is not a time of day", "write it like \"02:00\"");
        }
    }
    return backup;
}

Verify read_verify(const Section& root) {
    const Section section = root.child("verify");
    Verify verify;
    verify.every = section.duration("every");
    return verify;
}

fs::path read_admin_socket(const Section& root, const Origin& origin, const fs::path& state_dir) {
    const Section section = root.child("admin");
    const YamlNode* node = section.find("socket");
    fs::path socket = node == nullptr ? state_dir / "drawbridge.sock" : origin.resolve(section.text("socket", "."));
    constexpr std::size_t max_length = sizeof(sockaddr_un::sun_path) - 1;
    if (socket.native().size() > max_length) {
        section.reader().error(
            node == nullptr ? 0 : node->line(), node == nullptr ? 0 : node->column(),
            "admin.socket: " + socket.string() + " has " + std::to_string(socket.native().size()) + " characters",
            "set a shorter admin.socket; the system allows " + std::to_string(max_length));
    }
    return socket;
}

void warn_of_missing_evidence(const Section& root) {
    root.reader().warning(
        *root.child("ach").find("confirm_after_banking_days"),
        "ach.confirm_after_banking_days: without delivery.sftp nothing shows that the bank has a file",
        "record each file that the bank has: drawbridge deliver NAME --by-hand --reason …; or "
        "configure delivery.sftp");
}

// A host cannot see the folder with the files that the other host released.
void warn_of_two_folders(const Section& root) {
    root.reader().warning(
        *root.child("ledger").find("url"),
        "ledger.url: with two hosts, files without delivery.sftp stay in spool/outgoing of the host that released them",
        "configure delivery.sftp, or have the bank pick up files from both hosts; after a takeover, ask the bank "
        "whether it has the other host's files");
}

std::optional<Config> read_config(text::YamlReader& reader, const YamlNode& node, const fs::path& file) {
    const Section root(reader, &node, "");
    if (!root.present()) return std::nullopt;
    const Origin origin{file.parent_path()};
    if (root.find("ach") == nullptr && root.find("checks") == nullptr) {
        reader.error(node, "neither 'ach' nor 'checks' is configured", "add at least one of them");
    }
    Service service = read_service(root, origin);
    fs::path state_dir = origin.resolve(root.text("state_dir", default_state_dir));
    const Section rules = root.child("rules");
    fs::path rules_file = origin.resolve(rules.text("file", "rules.yaml"));
    std::optional<fs::path> rule_tests_file;
    if (rules.find("tests") != nullptr) rule_tests_file = origin.resolve(rules.text("tests", "rules.test.yaml"));
    Payees payees = read_payees(root, origin);
    const Poll poll = read_poll(root);
    auto pay = read_pay(root);
    auto ach = read_ach(root, origin);
    auto checks = read_checks(root, origin);
    Delivery delivery = read_delivery(root, origin);
    if (ach && ach->confirm_after_banking_days && !delivery.ach.sftp) warn_of_missing_evidence(root);
    Confirmations confirmations = read_confirmations(root, origin);
    Backup backup = read_backup(root, origin, state_dir);
    const Verify verify = read_verify(root);
    Ledger ledger = read_ledger(root, origin, pay ? pay->release : Release::manual);
    const bool all_by_sftp = (!ach || delivery.ach.sftp) && (!checks || delivery.checks.sftp);
    if (ledger.database && !all_by_sftp) warn_of_two_folders(root);
    Report report = read_report(root, payees.key);
    fs::path admin_socket = read_admin_socket(root, origin, state_dir);
    const Section log = root.child("log");
    const LogLevel log_level = log.choice<LogLevel>("level", {std::begin(log_levels), std::end(log_levels)});
    const LogTarget log_target = log.choice<LogTarget>("to", {std::begin(log_targets), std::end(log_targets)});
    Alerts alerts = read_alerts(root, origin);
    auto metrics = read_metrics(root);
    const ChangeControl change_control = read_change_control(root);
    Console console = read_console(root, origin, admin_socket, alerts);
    if (!pay) return std::nullopt;
    return Config{file,
                  std::move(service),
                  std::move(state_dir),
                  std::move(rules_file),
                  std::move(rule_tests_file),
                  std::move(payees),
                  poll,
                  std::move(*pay),
                  std::move(ach),
                  std::move(checks),
                  std::move(delivery),
                  std::move(confirmations),
                  std::move(backup),
                  verify,
                  std::move(ledger),
                  std::move(report),
                  std::move(admin_socket),
                  log_level,
                  log_target,
                  std::move(alerts),
                  std::move(metrics),
                  change_control,
                  {},
                  read_archive(root),
                  std::move(console)};
}

}  // namespace

std::expected<Config, Diagnostics> load_config(const fs::path& path) {
    std::error_code error;
    const fs::path file = fs::absolute(path, error).lexically_normal();
    const auto content = read_file(file);
    if (!content) {
        return std::unexpected(
            Diagnostics{{path.string(), 0, 0, content.error().message,
                         content.error().code == ErrorCode::unauthorized
                             ? "let everybody who runs drawbridge read it: chmod 644 " + path.string()
                             : "name the configuration with --config",
                         Severity::error}});
    }
    const auto root = text::parse_yaml(*content, path.string());
    if (!root) return std::unexpected(root.error());
    Diagnostics diagnostics;
    text::YamlReader reader(path.string(), diagnostics);
    auto config = read_config(reader, *root, file);
    const bool failed = std::ranges::count(diagnostics, Severity::error, &Diagnostic::severity) > 0;
    if (failed || !config) return std::unexpected(std::move(diagnostics));
    config->warnings = std::move(diagnostics);
    config->settings = settings_of(*root);
    config->settings_sha256 = digest_of_settings(config->settings);
    config->claims = claims_of(*root, file);
    return std::move(*config);
}

std::string_view to_string(Release release) {
    switch (release) {
        case Release::manual: return "manual";
        case Release::automatic: return "auto";
    }
    return {};
}

std::string_view to_string(Control control) {
    return std::ranges::find(controls, control, &std::pair<std::string_view, Control>::second)->first;
}

std::string_view to_string(LogLevel level) {
    return std::ranges::find(log_levels, level, &std::pair<std::string_view, LogLevel>::second)->first;
}

}  // namespace drawbridge::config
