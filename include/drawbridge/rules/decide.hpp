// What the rules say about one draw, and why. Pure: the same draw, rules and time give the same decision. It never
// approves anything: a Decision is only a proposal that the ledger records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/draw.hpp"
#include "drawbridge/rules/history.hpp"
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

// How a draw that a rule would approve fared at one limit.
struct LimitResult {
    std::string limit;  // "20 draws a day by case"
    std::string used;   // "19 draws, 4500.00"
    bool passed = false;
};

struct RuleResult {
    std::string rule;
    bool matched = false;
    std::vector<ConditionResult> conditions;  // all of these must pass
    std::string skipped;                      // why its conditions were not looked at; empty: they were
    std::string shadow;                       // of a rule in shadow mode: what it would decide, "approve", "hold: why"
    std::vector<LimitResult> limits;          // looked at where the rule decides to approve
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
    // Every rule up to the winner, in order; the last one is the winner if there is one.
    std::vector<RuleResult> explanation;
    // Of a hold: the earliest time at which time alone may change it, by age, by effective dates or by a limit. None:
    // it stays so until the draw or the rules change.
    std::optional<Instant> decide_again_at;
    // A limit of this run holds it, and nothing else: the next run may approve it. Then decide_again_at is `now`.
    bool waits_for_next_run = false;
};

inline constexpr std::size_t max_notes_bytes = 500;

// A draw that is not pending approval is held without looking at the rules. `zone` says which day `now` is, for
// effective dates and limits. An approval uses up limits only once it is added to `history` with use_of().
[[nodiscard]] Decision decide(const Draw& draw, const History& history, const RuleSet& rules, Instant now,
                              const TimeZone& zone);

// Of an approving decision that was made in this run.
[[nodiscard]] Use use_of(const Decision& decision, const Draw& draw);

// {"outcome": ..., "rule": ..., "reason": ..., "rule_set": ..., "rules": [{"rule", "matched", "conditions": [...]}]}
[[nodiscard]] std::string explanation_json(const Decision& decision);

}  // namespace drawbridge::rules
