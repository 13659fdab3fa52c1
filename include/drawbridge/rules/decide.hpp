// What the rules say about one draw, and why. Pure: the same draw, rules and time give the same decision. It never
// approves anything: a Decision is only a proposal that the ledger records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/draw.hpp"
#include "drawbridge/rules/history.hpp"
#include "drawbridge/rules/limits.hpp"
#include "drawbridge/rules/rule_set.hpp"

namespace drawbridge::rules {

enum class Outcome { approve, hold };

// "approve", "hold"
[[nodiscard]] std::string_view to_string(Outcome outcome);

// How a condition fared, for people: field, operator, what was wanted, what the draw has.
struct ConditionResult {
    std::string field;   // empty for a combination
    std::string op;      // "gt", "in", ...; "all", "any", "not", "unless" for a combination
    std::string wanted;  // "2500.00", "12, 14", "amountRequested (2500.00)"
    std::string found;   // "null" for null
    bool passed = false;
    bool unknown = false;                // neither true nor false, because of a null; never together with passed
    std::string note;                    // what a reader may not expect: "null never matches a comparison"
    std::vector<ConditionResult> parts;  // of a combination
};

struct RuleResult {
    std::string rule;
    bool matched = false;
    std::vector<ConditionResult> conditions;  // all of these must pass
    std::vector<LimitResult> limits;          // of the rule and of the whole set, where it matched and approves
    std::string skipped;                      // why its conditions were not looked at; empty: they were
    std::string shadow;                       // of a rule in shadow mode: what it would decide, "approve", "hold: why"
};

struct Decision {
    Outcome outcome = Outcome::hold;
    std::string rule;    // empty: no rule matched
    std::string reason;  // "rule 'x' matches"; the rule's text for a hold; "no rule matches"
    std::string rule_set_sha256;
    Instant decided_at;
    // For an approval only:
    std::int64_t approver_id = 0;
    std::string notes;  // one line of at most max_notes_bytes
    std::vector<std::string> notify;
    // The first moment at which time alone may change the outcome; absent: it cannot.
    std::optional<Instant> again_at;
    bool at_limit = false;  // a limit holds what a rule would approve
    // Every rule up to the winner, in order; the last one is the winner if there is one.
    std::vector<RuleResult> explanation;
};

inline constexpr std::size_t max_notes_bytes = 500;

// How the reason of a decision begins that is at a limit; the limits follow, with what is used and what is wanted.
[[nodiscard]] std::string at_limit_reason(std::string_view rule);

// A draw that is not pending approval is held without looking at the rules. `zone` says which day `now` is, for rules
// with effective dates and limits. An approval within its limits is entered into `limits`, so that the next draw of the
// same run finds it used up.
[[nodiscard]] Decision decide(const Draw& draw, const History& history, const RuleSet& rules, LimitUsage& limits,
                              Instant now, const TimeZone& zone);
// One draw on its own: nothing of the limits is used up for another.
[[nodiscard]] Decision decide(const Draw& draw, const History& history, const RuleSet& rules, Instant now,
                              const TimeZone& zone);

// {"outcome": ..., "rule": ..., "reason": ..., "rule_set": ..., "rules": [{"rule", "matched", "conditions": [...]}]}
[[nodiscard]] std::string explanation_json(const Decision& decision);

}  // namespace drawbridge::rules
