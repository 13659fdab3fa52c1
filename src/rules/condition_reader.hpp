// The `when:` of a rule, from YAML to a Condition. It reports what is wrong and goes on, so that one run finds all.
#pragma once

#include <optional>
#include <string_view>

#include "drawbridge/rules/rule_set.hpp"
#include "drawbridge/text/yaml.hpp"

namespace drawbridge::rules {

// nullopt when anything was reported as an error.
[[nodiscard]] std::optional<Condition> read_condition(text::YamlReader& reader, const text::YamlNode& when);

}  // namespace drawbridge::rules
