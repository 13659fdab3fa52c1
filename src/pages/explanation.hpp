// What rules say of a draw, and what is wrong with a rule file. Private to this module.
#pragma once

#include <string_view>

#include "parts.hpp"

namespace drawbridge::pages {

// POST /draws/ID/explain: the decision, and each rule with its conditions and limits. Empty for null.
[[nodiscard]] Html explanation_card(std::string_view title, const Json& explained);
// POST /rules/check. Empty for null.
[[nodiscard]] Html rule_file_check(const Json& check);

}  // namespace drawbridge::pages
