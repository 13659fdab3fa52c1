// A draw as a test of the rules writes it: the fields that matter, under the service's names.
#pragma once

#include <functional>
#include <string_view>

#include "drawbridge/domain/draw.hpp"
#include "drawbridge/text/yaml.hpp"

namespace drawbridge::rules {

// Of a draw of the past: the rule that approved it, and when.
inline constexpr std::string_view by_rule_key = "approved_by_rule";
inline constexpr std::string_view decided_at_key = "decided_at";

// Takes the keys above, where they may stand.
using OtherKeys = std::function<void(const text::YamlNode::Entry&)>;

// Sets what `node` names; the rest of `draw` stays. False when an error was reported.
bool read_draw(text::YamlReader& reader, const text::YamlNode& node, Draw& draw, const OtherKeys& others = {});

}  // namespace drawbridge::rules
