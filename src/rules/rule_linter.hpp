// What is valid in a rule set and can be proven to do nothing: rules that can never match, rules that are never
// reached. What cannot be proven is not reported.
#pragma once

#include <string_view>

#include "drawbridge/rules/rule_set.hpp"

namespace drawbridge::rules {

[[nodiscard]] text::Diagnostics doubts(const RuleSet& set, std::string_view file_name);

}  // namespace drawbridge::rules
