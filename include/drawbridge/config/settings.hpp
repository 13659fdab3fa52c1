// The settings of drawbridge.yaml as lines of text, to see later what was changed in it. Comments, blanks and the order
// of keys do not count.
//
// The lines hold what the file holds: they are kept sealed, and shown only through what_changed().
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/error.hpp"

namespace drawbridge::config {

// "service.page_size: 500", "pay.cutoffs[0]: 10:00", sorted. Errors: the file cannot be read, or is no YAML.
[[nodiscard]] Result<std::string> settings_of(const std::filesystem::path& config_file);

// "pay.release: manual -> auto", "report.time_of_day: added 12:00", one for each key. Account values, secrets and
// addresses, which may hold one, are not shown.
[[nodiscard]] std::vector<std::string> what_changed(std::string_view before, std::string_view now);

}  // namespace drawbridge::config
