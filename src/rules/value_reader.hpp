// Reads a value of a draw's field, as the rule file and rule tests write it.
#pragma once

#include <optional>
#include <string>

#include "drawbridge/domain/draw.hpp"
#include "drawbridge/text/yaml.hpp"

namespace drawbridge::rules {

// `node` is not null. Text may be empty if quoted. nullopt when it reported an error.
[[nodiscard]] std::optional<FieldValue> read_field_value(text::YamlReader& reader, FieldKind kind,
                                                         const text::YamlNode& node, const std::string& what);
[[nodiscard]] std::optional<Instant> read_instant(text::YamlReader& reader, const text::YamlNode& node,
                                                  const std::string& what);

}  // namespace drawbridge::rules
