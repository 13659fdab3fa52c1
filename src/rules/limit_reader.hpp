// The `limits:` of a rule or of the whole set, from YAML. It reports what is wrong and what is probably not meant.
#pragma once

#include <vector>

#include "drawbridge/rules/rule_set.hpp"
#include "drawbridge/text/yaml.hpp"

namespace drawbridge::rules {

[[nodiscard]] std::vector<Limit> read_limits(text::YamlReader& reader, const text::YamlNode& node);

}  // namespace drawbridge::rules
