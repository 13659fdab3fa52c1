// The `when:` of a rule, from YAML to a Condition. It reports what is wrong and goes on, so that one run finds all.
#pragma once

#include <optional>

#include "drawbridge/rules/rule_set.hpp"
#include "drawbridge/text/yaml.hpp"

namespace drawbridge::rules {

// nullopt when anything was reported as an error. `case_sensitive` is for the regular expressions, which are compiled
// here.
[[nodiscard]] std::optional<Condition> read_condition(text::YamlReader& reader, const text::YamlNode& when,
                                                      bool case_sensitive);

}  // namespace drawbridge::rules
