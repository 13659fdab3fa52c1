#include "limits.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace drawbridge::rules {
namespace {

// What one limit says to a draw.
struct Verdict {
    bool passed = true;
    std::string used;
    std::string why;  // when not passed
    // When the limit allows the draw again; none: never, as long as the draw is what it is.
    std::optional<Instant> again;
};

std::string in_words(const Limit& limit, const CountAndTotal& used) {
    std::string text;
    if (limit.count) text = std::to_string(used.count) + (used.count == 1 ? " draw" : " draws");
    if (limit.amount) text += (text.empty() ? "" : " and ") + used.total.to_string();
    return text;
}

Verdict ask(const Limit& limit, const std::string& rule, const Situation& situation, const TimeZone& zone) {
    Verdict verdict;
    const Draw& draw = situation.draw;
    const auto used = situation.history.used(limit, rule, draw, situation.now, zone);
    const auto own = weight(draw);
    if (!used || (limit.amount && !own)) {
        verdict.passed = false;
        verdict.used = "unknown";
        verdict.why = used ? "the draw has no amount to hold against it" : "caseId is null";
        return verdict;
    }
    verdict.used = in_words(limit, *used);
    const bool too_many = limit.count && used->count + 1 > *limit.count;
    const bool too_much = limit.amount && used->total + *own > *limit.amount;
    verdict.passed = !too_many && !too_much;
    if (verdict.passed) return verdict;
    const bool by_itself = limit.amount && *own > *limit.amount;
    verdict.why = verdict.used + " used, " + (own ? own->to_string() : "one draw") + " wanted";
    if (by_itself) verdict.why += "; the draw alone passes it";
    if (!by_itself) verdict.again = period_end(limit.per, situation.now, zone);
    return verdict;
}

}  // namespace

void keep_to_limits(const Rule& rule, const RuleSet& rules, const Situation& situation, const TimeZone& zone,
                    Decision& decision) {
    bool held = false;
    bool only_the_run = true;
    std::optional<Instant> again;
    std::string reason;
    const auto look_at = [&](const Limit& limit, const std::string& of_rule) {
        Verdict verdict = ask(limit, of_rule, situation, zone);
        const std::string name =
            (of_rule.empty() ? std::string("all rules") : "rule '" + of_rule + "'") + ": " + to_string(limit);
        decision.explanation.back().limits.push_back({name, verdict.used, verdict.passed});
        if (verdict.passed) return;
        only_the_run = only_the_run && limit.per == Period::run && verdict.again;
        // Every limit must allow it: the latest counts, and never is the latest of all.
        const bool later = !held || (again && (!verdict.again || *verdict.again > *again));
        held = true;
        if (!later) return;
        again = verdict.again;
        reason = "limit of " + name + ": " + verdict.why;
    };
    for (const Limit& limit : rule.limits)
        look_at(limit, rule.name);
    for (const Limit& limit : rules.limits)
        look_at(limit, {});
    if (!held) return;
    decision.outcome = Outcome::hold;
    decision.reason = std::move(reason);
    decision.approver_id = 0;
    decision.notes.clear();
    decision.notify.clear();
    decision.decide_again_at = again;
    decision.waits_for_next_run = only_the_run;
}

}  // namespace drawbridge::rules
