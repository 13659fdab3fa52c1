// Reads a draw as a rule test writes it: the fields that matter, under the service's names.
#pragma once

#include <string_view>
#include <vector>

#include "drawbridge/domain/draw.hpp"
#include "drawbridge/text/yaml.hpp"

namespace drawbridge::rules {

// Sets the fields that `node` names and keeps the rest of `draw`. False when it reported an error. Keys in `beside`
// belong to the caller.
bool read_draw(text::YamlReader& reader, const text::YamlNode& node, Draw& draw,
               const std::vector<std::string_view>& beside = {});

}  // namespace drawbridge::rules
