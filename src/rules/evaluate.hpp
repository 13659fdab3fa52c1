// Whether a condition holds for a draw, and how each of its parts fared.
#pragma once

#include "drawbridge/rules/decide.hpp"
#include "drawbridge/rules/rule_set.hpp"

namespace drawbridge::rules {

// What a condition is held against.
struct EvaluationContext {
    const Draw& draw;
    Instant now;
    bool case_sensitive = false;
    const History& history;
    // The first moment after `now` at which a comparison with time changes; evaluation moves it down.
    std::optional<Instant>& again_at;

    void changes_at(Instant at) const {
        if (at > now && (!again_at || at < *again_at)) again_at = at;
    }
};

// Every part is evaluated, also after the first that fails: the explanation is for people.
[[nodiscard]] ConditionResult evaluate(const Condition& condition, const EvaluationContext& context);

}  // namespace drawbridge::rules
