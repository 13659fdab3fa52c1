// Which operators there are, under the names of the rule file, and which of them fit which kind of field.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/draw.hpp"
#include "drawbridge/rules/rule_set.hpp"

namespace drawbridge::rules {

// `is` stands for two operators, and `not` for none: what they mean, their value says.
inline constexpr std::string_view is_key = "is";
inline constexpr std::string_view not_key = "not";

// Every key that may stand under a field.
[[nodiscard]] std::vector<std::string_view> operator_keys();
// is_null for `is`; nullopt for `not` and for what is no operator.
[[nodiscard]] std::optional<Operator> find_operator(std::string_view key);
[[nodiscard]] bool is_allowed(Operator op, FieldKind kind);
// gt, gte, lt, lte
[[nodiscard]] bool compares_order(Operator op);
// contains, startsWith, endsWith, matches
[[nodiscard]] bool looks_into_text(Operator op);
// "eq, in, gt, gte, lt, lte, not, is"
[[nodiscard]] std::string allowed_keys(FieldKind kind);
// "an amount"
[[nodiscard]] std::string_view noun(FieldKind kind);

}  // namespace drawbridge::rules
