// Which files a configuration names that hold rules, payees, layouts and profiles, even where the configuration itself
// has mistakes: so that these do not hide the mistakes in the files.
//
// It reports nothing (load_config() does) and opens none of the files.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

namespace drawbridge::config {

// Paths are absolute. What the configuration does not name, and is not where it is looked for then, is left out.
struct InputFiles {
    std::optional<std::filesystem::path> rules, rule_tests, payees, check_layout;
    std::vector<std::filesystem::path> csv_profiles, paid_check_layouts;  // each once
    std::optional<std::filesystem::path> state_dir;                       // only where it is named
};
// Of a file that is no YAML: those beside it that have the usual names.
[[nodiscard]] InputFiles find_input_files(const std::filesystem::path& config_file);

}  // namespace drawbridge::config
