// Whether a condition holds for a draw, and how each of its parts fared.
#pragma once

#include "drawbridge/rules/decide.hpp"
#include "drawbridge/rules/rule_set.hpp"

namespace drawbridge::rules {

// Every part is evaluated, also after the first that fails: the explanation is for people.
[[nodiscard]] ConditionResult evaluate(const Condition& condition, const Draw& draw, bool case_sensitive);

}  // namespace drawbridge::rules
