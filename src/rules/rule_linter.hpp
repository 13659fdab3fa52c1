// Finds valid rules that provably do nothing: rules that can never match and rules that are never reached. It reports
// only what it can prove.
#pragma once

#include <string_view>

#include "drawbridge/rules/rule_set.hpp"

namespace drawbridge::rules {

[[nodiscard]] text::Diagnostics lint_rules(const RuleSet& set, std::string_view file_name);

}  // namespace drawbridge::rules
