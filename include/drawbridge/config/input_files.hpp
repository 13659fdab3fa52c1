// The rules, payees, layouts and profiles that a configuration names. Works even if the configuration has errors, so
// that `check` reports the errors of these files too.
//
// It reports no errors (load_config() does) and opens none of the files.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

namespace drawbridge::config {

// If the configuration names no state_dir.
inline constexpr const char* default_state_dir = "/var/lib/drawbridge";

// Paths are absolute. A file that the configuration does not name is listed only if it exists under its default name.
struct InputFiles {
    std::optional<std::filesystem::path> rules, rule_tests, payees, check_layout;
    std::vector<std::filesystem::path> csv_profiles, paid_check_layouts;  // without duplicates
    std::optional<std::filesystem::path> state_dir;                       // only if the configuration names it
    std::optional<std::filesystem::path> sealing_key;                     // the file with it, outside the state folder
    bool is_ledger_on_server = false;                                     // the configuration has ledger.url
};
// If the configuration is not valid YAML: the files next to it that have the default names.
[[nodiscard]] InputFiles find_input_files(const std::filesystem::path& config_file);

}  // namespace drawbridge::config
