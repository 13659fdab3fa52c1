// Whether a condition holds for a draw, and how each of its parts fared.
#pragma once

#include "drawbridge/rules/decide.hpp"
#include "drawbridge/rules/rule_set.hpp"

namespace drawbridge::rules {

// What a condition is held against.
struct Situation {
    const Draw& draw;
    const History& history;
    Instant now;
    bool case_sensitive = false;
};

// Every part is evaluated, also after the first that fails: the explanation is for people.
[[nodiscard]] ConditionResult evaluate(const Condition& condition, const Situation& situation);

}  // namespace drawbridge::rules
