// Conditions on what the ledger knows beside the draw: duplicate_within, case_total, payee_count and their kind.
#pragma once

#include <string_view>
#include <vector>

#include "drawbridge/rules/rule_set.hpp"
#include "drawbridge/text/yaml.hpp"

namespace drawbridge::rules {

[[nodiscard]] const std::vector<std::string_view>& history_keys();
[[nodiscard]] bool is_history_key(std::string_view key);

// Of a key among history_keys(). False when an error was reported.
bool read_history(text::YamlReader& reader, const text::YamlNode::Entry& entry, std::vector<Condition>& into);

// A list of limits: [{count: 10, per: day, by: case}, {amount: 5000.00, per: week}]
[[nodiscard]] std::vector<Limit> read_limits(text::YamlReader& reader, const text::YamlNode& node);

}  // namespace drawbridge::rules
