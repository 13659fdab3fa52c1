// The settings of drawbridge.yaml as lines of text, to detect later what changed. Comments, whitespace and the order of
// keys do not matter.
//
// The lines contain every value of the file. They are stored sealed and shown only through what_changed().
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/text/yaml.hpp"

namespace drawbridge::config {

// "service.page_size: 500", "pay.cutoffs[0]: 10:00", sorted.
[[nodiscard]] std::string settings_of(const text::YamlNode& root);

// "pay.release: manual -> auto", "report.time_of_day: added 12:00", one per key. Accounts, secrets and URLs, which may
// contain a secret, are not shown.
[[nodiscard]] std::vector<std::string> what_changed(std::string_view before, std::string_view now);

// The SHA-256 of the settings, to compare two hosts: without those that belong to one machine (state_dir,
// ledger.witness, ledger.read_url and metrics.listen).
[[nodiscard]] std::string digest_of_settings(std::string_view settings);

}  // namespace drawbridge::config
