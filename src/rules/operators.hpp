// The operators, under their names in the rule file, and the field kinds that each applies to.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/draw.hpp"
#include "drawbridge/rules/rule_set.hpp"

namespace drawbridge::rules {

// `is` covers two operators and `not` has none of its own: their value decides the meaning.
inline constexpr std::string_view is_key = "is";
inline constexpr std::string_view not_key = "not";

// Every key allowed under a field.
[[nodiscard]] std::vector<std::string_view> operator_keys();
// is_null for `is`; nullopt for `not` and for an unknown key.
[[nodiscard]] std::optional<Operator> find_operator(std::string_view key);
[[nodiscard]] bool is_allowed(Operator op, FieldKind kind);
// gt, gte, lt, lte
[[nodiscard]] bool compares_order(Operator op);
// contains, startsWith, endsWith, matches
[[nodiscard]] bool is_text_operator(Operator op);
// "eq, in, gt, gte, lt, lte, not, is"
[[nodiscard]] std::string allowed_keys(FieldKind kind);
// "an amount"
[[nodiscard]] std::string_view noun(FieldKind kind);

}  // namespace drawbridge::rules
