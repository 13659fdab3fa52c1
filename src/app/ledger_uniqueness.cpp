#include "ledger_uniqueness.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>
#include <vector>

#include "drawbridge/config/claims.hpp"
#include "drawbridge/config/input_files.hpp"
#include "drawbridge/ledger/facts/draws.hpp"
#include "drawbridge/ledger/store/engine.hpp"
#include "drawbridge/ledger/store/traces.hpp"

namespace drawbridge::app {
namespace {

namespace fs = std::filesystem;

std::string noted_configuration(const fs::path& state_dir) {
    std::ifstream in(state_dir / configuration_note, std::ios::binary);
    std::string line;
    std::getline(in, line);
    return line;
}

// The folders next to it, and the package's default folder.
std::vector<fs::path> candidate_folders(const fs::path& state_dir) {
    auto folders = ledger::folders_beside(state_dir);
    folders.emplace(folders.begin(), config::default_state_dir);
    return folders;
}

}  // namespace

Result<void> check_no_second_ledger(const fs::path& state_dir, const fs::path& config_file) {
    if (ledger::has_ledger(state_dir)) return {};
    for (const auto& folder : candidate_folders(state_dir)) {
        std::error_code unreadable;
        const bool is_ours = noted_configuration(folder) == config_file.string();
        if (!is_ours || !ledger::has_ledger(folder)) continue;
        if (fs::equivalent(folder, state_dir, unreadable)) continue;
        return fail(ErrorCode::conflict,
                    "state_dir is " + state_dir.string() + ", where there is no ledger, and " + folder.string() +
                        " has the ledger of this configuration: a second ledger would pay the same draws again: "
                        "correct state_dir, or move the whole folder there. (To start a second ledger anyway, remove " +
                        (folder / configuration_note).string() + ")");
    }
    return {};
}

Result<void> check_same_service(ledger::Ledger& ledger, const config::Service& service) {
    const auto ours = config::normalized_url(service.base_url);
    const auto known = ledger::service_address(ledger);
    if (known == ours) return {};
    // A trial may start its service anew on any port.
    const bool is_trial = known && config::is_on_this_machine(*known) && config::is_on_this_machine(ours);
    // A service that never answered is a typo.
    const bool has_draws = ledger::last_sweep(ledger).has_value();
    if (known && has_draws && !is_trial && config::normalized_url(service.moved_from) != *known) {
        return fail(ErrorCode::conflict,
                    "service.base_url is " + service.base_url + ", and the ledger has the draws of " + *known +
                        ": another service numbers its draws anew, so draws there would pass for those that were paid "
                        "here: correct service.base_url, or give the other service its own state_dir. If it is the "
                        "same service at a new address, add service.moved_from: " +
                        *known);
    }
    return {};
}

Result<void> take_service(ledger::Ledger& ledger, const config::Service& service, Instant now) {
    if (auto same = check_same_service(ledger, service); !same) return same;
    const auto ours = config::normalized_url(service.base_url);
    if (ledger::service_address(ledger) == ours) return {};
    ledger.transaction([&] { ledger::record_service_address(ledger, ours, {now, "drawbridge"}); });
    return {};
}

void note_configuration(const fs::path& state_dir, const fs::path& config_file) {
    if (noted_configuration(state_dir) == config_file.string()) return;
    std::ofstream(state_dir / configuration_note, std::ios::binary | std::ios::trunc) << config_file.string() << '\n';
}

}  // namespace drawbridge::app
