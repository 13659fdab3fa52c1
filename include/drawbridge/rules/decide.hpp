// Decides what the rules say about one draw, and why. Pure: the same draw, rules, history and time give the same
// decision. It approves nothing itself: a Decision is a proposal that the ledger records.
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

// The result of one condition, for people: field, operator, the value it wanted, the value it found.
struct ConditionResult {
    std::string field;   // empty for a combination
    std::string op;      // "gt", "in", ...; "all", "any", "not", "unless" for a combination
    std::string wanted;  // "2500.00", "12, 14", "amountRequested (2500.00)"
    std::string found;   // "null" for null
    bool passed = false;
    bool unknown = false;                // neither true nor false, because of a null; never together with passed
    std::string note;                    // explains a surprise to the reader: "null never matches a comparison"
    std::vector<ConditionResult> parts;  // the parts of a combination
};

struct RuleResult {
    std::string rule;
    bool matched = false;
    std::vector<ConditionResult> conditions;  // all must pass
    std::vector<LimitResult> limits;  // limits of the rule and of the whole set, if the rule matched and approves
    std::string skipped;              // why its conditions were not evaluated; empty when they were
    std::string shadow;               // for a rule in shadow mode, what it would decide: "approve", "hold: why"
};

struct Decision {
    Outcome outcome = Outcome::hold;
    std::string rule;    // empty: no rule matched
    std::string reason;  // "rule 'x' matches"; for a hold, the rule's text; "no rule matches"
    std::string rule_set_sha256;
    Instant decided_at;
    // For an approval only:
    std::int64_t approver_id = 0;
    std::string notes;  // one line of at most max_notes_bytes
    std::vector<std::string> notify;
    // The first moment when time alone may change the outcome; absent when it cannot.
    std::optional<Instant> again_at;
    bool at_limit = false;  // a limit held a draw that a rule would approve
    // Every rule up to and including the winner, in order.
    std::vector<RuleResult> explanation;
};

inline constexpr std::size_t max_notes_bytes = 500;

// The start of the reason of a decision at a limit. The limits follow, each with the amount used and the amount
// requested.
[[nodiscard]] std::string at_limit_reason(std::string_view rule);

// Holds a draw that is not pending approval without evaluating the rules. `zone` tells which day `now` is, for
// effective dates and limits. An approval within its limits is recorded in `limits`, so that it counts for the next
// draw of the same run.
[[nodiscard]] Decision decide(const Draw& draw, const History& history, const RuleSet& rules, LimitUsage& limits,
                              Instant now, const TimeZone& zone);
// Decides one draw alone: it uses up no limit for another.
[[nodiscard]] Decision decide(const Draw& draw, const History& history, const RuleSet& rules, Instant now,
                              const TimeZone& zone);

// {"outcome": ..., "rule": ..., "reason": ..., "rule_set": ..., "rules": [{"rule", "matched", "conditions": [...]}]}
[[nodiscard]] std::string explanation_json(const Decision& decision);

}  // namespace drawbridge::rules
