// A draw as a test of the rules writes it: the fields that matter, under the service's names.
#pragma once

#include <string_view>
#include <vector>

#include "drawbridge/domain/draw.hpp"
#include "drawbridge/text/yaml.hpp"

namespace drawbridge::rules {

// Sets what `node` names; the rest of `draw` stays. False when an error was reported. Keys in `beside` are the
// caller's.
bool read_draw(text::YamlReader& reader, const text::YamlNode& node, Draw& draw,
               const std::vector<std::string_view>& beside = {});

}  // namespace drawbridge::rules
