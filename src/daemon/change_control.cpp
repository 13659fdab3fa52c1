#include "drawbridge/daemon/change_control.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include "drawbridge/config/settings.hpp"
#include "drawbridge/ledger/facts/changes.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/runs.hpp"

namespace drawbridge::daemon {
namespace {

namespace fs = std::filesystem;
using config::Control;
using ledger::ControlledFile;
using text::Diagnostics;

constexpr std::size_t short_hash = 12;

Control control_of(const config::Config& config, ControlledFile kind) {
    return kind == ControlledFile::rules ? config.change_control.rules : config.change_control.payees;
}

std::optional<std::int64_t> owner_of(const fs::path& file) {
    struct stat status{};
    if (::stat(file.c_str(), &status) != 0) return std::nullopt;
    return status.st_uid;
}

// The bytes in force in the ledger, unless their SHA-256 is `now`. nullopt: nothing to replace.
template <class T, class Parse>
std::expected<std::optional<T>, Diagnostics> from_ledger(ledger::Ledger& ledger, const config::Config& config,
                                                         ControlledFile kind, const std::string& now, Parse parse) {
    if (control_of(config, kind) == Control::off) return std::nullopt;
    const auto hash = ledger::hash_in_force(ledger, kind);
    if (!hash) {
        return std::unexpected(
            Diagnostics{{config.file.string(), 0, 0,
                         fmt::format("change_control is on and this ledger has no {} in force yet", to_string(kind)),
                         "start the daemon, which takes the file as the baseline", text::Severity::error}});
    }
    if (*hash == now) return std::nullopt;
    auto parsed = parse(ledger::bytes_in_force(ledger, kind),
                        fmt::format("{} {} in force", to_string(kind), hash->substr(0, short_hash)));
    if (!parsed) return std::unexpected(std::move(parsed.error()));
    return std::optional<T>(std::move(*parsed));
}

// The subject of `inputs_refused`.
constexpr std::string_view refused_subject = "rules and payees";

}  // namespace

void raise_refused(ledger::Ledger& ledger, const Diagnostics& problems, const ledger::Stamp& stamp) {
    constexpr std::size_t max_named = 3;
    std::vector<std::string> shown;
    for (const auto& problem : problems) {
        if (shown.size() == max_named) {
            shown.push_back(fmt::format("and {} more", problems.size() - max_named));
            break;
        }
        shown.push_back(problem.to_string());
    }
    ledger.transaction([&] {
        ledger::raise_exception(
            ledger,
            {"decide", "inputs_refused", std::nullopt, std::nullopt, std::string(refused_subject),
             fmt::format("the old rules and payees stay in force until this is corrected: {}", fmt::join(shown, "; "))},
            stamp);
    });
}

void compare_with_ledger(ledger::Ledger& ledger, const config::Config& config, const config::Inputs& from_files,
                         const ledger::Stamp& stamp) {
    const std::pair<ControlledFile, ledger::FileContent> files[] = {
        {ControlledFile::rules, {from_files.rules.text, from_files.rules.sha256, owner_of(config.rules_file)}},
        {ControlledFile::payees, {from_files.payees_text, from_files.payees.sha256(), owner_of(config.payees.file)}}};
    ledger.transaction([&] {
        close_exceptions_of_subject(ledger, refused_subject, "the files have no errors now", stamp);
        for (const auto& [kind, file] : files) {
            if (control_of(config, kind) == Control::second_person) {
                compare_with_file(ledger, kind, file, stamp);
            } else {
                withdraw_open_proposal(ledger, kind, "change control is off: the file is in force", stamp);
            }
        }
    });
}

std::expected<void, Diagnostics> take_in_force(ledger::Ledger& ledger, const config::Config& config,
                                               rules::RuleSet& rules, disbursement::PayeeDirectory& payees) {
    auto rules_in_force =
        from_ledger<rules::RuleSet>(ledger, config, ControlledFile::rules, rules.sha256, rules::parse_rules);
    if (!rules_in_force) return std::unexpected(std::move(rules_in_force.error()));
    auto payees_in_force = from_ledger<disbursement::PayeeDirectory>(
        ledger, config, ControlledFile::payees, payees.sha256(), disbursement::PayeeDirectory::read);
    if (!payees_in_force) return std::unexpected(std::move(payees_in_force.error()));
    if (*rules_in_force) rules = std::move(**rules_in_force);
    if (*payees_in_force) payees = std::move(**payees_in_force);
    return {};
}

std::string waiting_changes(ledger::Ledger& ledger) {
    std::string text;
    for (const auto& proposal : ledger::open_proposals(ledger)) {
        text += fmt::format("; changed {} {} wait for two people: drawbridge changes", to_string(proposal.kind),
                            proposal.sha256);
    }
    return text;
}

namespace {

// Draws that were approved while another field named their payee would be paid to somebody else.
void pause_if_payee_key_changed(ledger::Ledger& ledger, const std::vector<std::string>& changes,
                                const ledger::Stamp& stamp) {
    const std::string key = "payees.key: ", usual = config::Payees().key;
    const auto change = std::ranges::find_if(changes, [&](const auto& line) { return line.starts_with(key); });
    if (change == changes.end() || *change == key + "added " + usual || *change == key + "removed " + usual) return;
    ledger::set_paused(ledger, /*paused=*/true, *change, stamp);
    ledger::raise_exception(ledger,
                            {"pay", "payee_key_changed", std::nullopt, std::nullopt, "payees.key",
                             *change + ": draws that were approved before would be paid to another payee: all money "
                                       "movement is paused until a person has looked at them"},
                            stamp);
}

}  // namespace

void note_settings(ledger::Ledger& ledger, const config::Config& config, const ledger::Stamp& stamp) {
    const auto before = ledger::last_settings(ledger);
    if (before == config.settings) return;
    const auto changes = before ? config::what_changed(*before, config.settings) : std::vector<std::string>();
    const bool is_about_control =
        std::ranges::any_of(changes, [](const std::string& line) { return line.starts_with("change_control"); });
    ledger.transaction([&] {
        ledger::record_settings(ledger, config.settings, fmt::format("{}", fmt::join(changes, "; ")), stamp);
        pause_if_payee_key_changed(ledger, changes, stamp);
        for (const auto kind : {ControlledFile::rules, ControlledFile::payees}) {
            if (!is_about_control || control_of(config, kind) != Control::off) continue;
            if (!ledger::hash_in_force(ledger, kind)) continue;
            ledger::raise_exception(
                ledger,
                {kind == ControlledFile::rules ? "decide" : "pay", "change_control_off", std::nullopt, std::nullopt,
                 fmt::format("change_control.{}", to_string(kind)),
                 fmt::format(
                     "change_control.{0} was turned off in drawbridge.yaml: the file is in force, and one person's "
                     "change to it takes effect at once: find out who did this and why, then resolve this",
                     to_string(kind))},
                stamp);
        }
    });
}

}  // namespace drawbridge::daemon
