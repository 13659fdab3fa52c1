// Reads the `when:` of a rule from YAML into a Condition. It continues after an error, so that one run finds all.
#pragma once

#include <optional>

#include "drawbridge/rules/rule_set.hpp"
#include "drawbridge/text/yaml.hpp"

namespace drawbridge::rules {

// nullopt when it reported an error. `case_sensitive` applies to the regular expressions, which are compiled here.
[[nodiscard]] std::optional<Condition> read_condition(text::YamlReader& reader, const text::YamlNode& when,
                                                      bool case_sensitive);

}  // namespace drawbridge::rules
