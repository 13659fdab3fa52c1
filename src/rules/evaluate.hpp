// Evaluates whether a condition is true of a draw, and the result of each of its parts.
#pragma once

#include "drawbridge/rules/decide.hpp"
#include "drawbridge/rules/rule_set.hpp"

namespace drawbridge::rules {

// What a condition is evaluated against.
struct EvaluationContext {
    const Draw& draw;
    Instant now;
    bool case_sensitive = false;
    const History& history;
    // The first moment after `now` when a comparison with time changes. Evaluation moves it earlier.
    std::optional<Instant>& again_at;

    void changes_at(Instant at) const {
        if (at > now && (!again_at || at < *again_at)) again_at = at;
    }
};

// Evaluates every part, even after the first that fails: people read the explanation.
[[nodiscard]] ConditionResult evaluate(const Condition& condition, const EvaluationContext& context);

}  // namespace drawbridge::rules
