// Reads conditions on other draws in the ledger: duplicate_within, case_total, payee_count and similar keys.
#pragma once

#include <string_view>
#include <vector>

#include "drawbridge/rules/rule_set.hpp"
#include "drawbridge/text/yaml.hpp"

namespace drawbridge::rules {

[[nodiscard]] const std::vector<std::string_view>& history_keys();
[[nodiscard]] bool is_history_key(std::string_view key);

// The entry's key is one of history_keys(). False when it reported an error.
bool read_history(text::YamlReader& reader, const text::YamlNode::Entry& entry, std::vector<Condition>& into);

// A list of limits: [{count: 10, per: day, by: case}, {amount: 5000.00, per: week}]
[[nodiscard]] std::vector<Limit> read_limits(text::YamlReader& reader, const text::YamlNode& node);

}  // namespace drawbridge::rules
