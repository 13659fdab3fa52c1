#include "rule_linter.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "rule_coverage.hpp"

namespace drawbridge::rules {
namespace {

// One alternative of an earlier rule that decides.
struct Earlier {
    const Rule* rule;
    Box box;
};

class RuleLinter {
  public:
    RuleLinter(const RuleSet& set, std::string_view file_name) : set_(set), file_name_(file_name) {}

    text::Diagnostics run() {
        for (const Rule& rule : set_.rules) {
            if (rule.enabled) lint(rule);
        }
        return std::move(found_);
    }

  private:
    void lint(const Rule& rule) {
        const auto space = rule_coverage(rule, set_.case_sensitive);
        if (!space) return;
        if (space->boxes.empty()) return warn_impossible(rule, space->impossible);
        const bool is_reached = !warn_if_unreachable(rule, *space);
        if (rule.shadow) return;
        if (approves(rule)) warn_if_unlimited(rule, *space);
        if (!approves(rule) && is_reached) warn_if_too_late(rule, *space);
        for (const Box& box : space->boxes)
            earlier_.push_back({&rule, box});
    }

    void warn_impossible(const Rule& rule, const std::string& where) {
        const bool status = where == "status";
        warn(rule, "rule '" + rule.name + "' can never match: no draw satisfies its conditions on " + where,
             status ? "the rules see only draws with status 3 (Pending Approval)" : "correct them or remove the rule");
    }

    static bool approves(const Rule& rule) { return std::holds_alternative<Approve>(rule.outcome); }

    // Returns whether it warned.
    bool warn_if_unreachable(const Rule& rule, const RuleCoverage& space) {
        std::vector<const Rule*> covering;
        for (const Box& box : space.boxes) {
            const auto earlier =
                std::ranges::find_if(earlier_, [&](const Earlier& other) { return covers(other.box, box); });
            if (earlier == earlier_.end()) return false;
            if (std::ranges::find(covering, earlier->rule) == covering.end()) covering.push_back(earlier->rule);
        }
        std::string hint;
        for (const Rule* other : covering)
            hint += (hint.empty() ? "" : ", ") + place(*other);
        hint += covering.size() == 1 ? " decides" : " together decide";
        hint += " every draw that it would match: move it up or remove it";
        warn(rule, "rule '" + rule.name + "' is never reached", std::move(hint));
        return true;
    }

    static std::string place(const Rule& rule) {
        return "rule '" + rule.name + "' on line " + std::to_string(rule.line);
    }

    // A rule that holds, below one that approves some of the same draws. If it would hold all of them, the other is an
    // exception from it.
    void warn_if_too_late(const Rule& rule, const RuleCoverage& space) {
        const auto taken = std::ranges::find_if(earlier_, [&](const Earlier& other) {
            return approves(*other.rule) &&
                   std::ranges::any_of(space.boxes, [&](const Box& box) { return may_meet(box, other.box); }) &&
                   std::ranges::none_of(space.boxes, [&](const Box& box) { return covers(box, other.box); });
        });
        if (taken == earlier_.end()) return;
        warn(rule, "rule '" + rule.name + "' does not hold the draws that " + place(*taken->rule) + " approves",
             "move it up if it must hold them, or exclude them in its 'when'");
    }

    // Limits are conditions too: a draw that exceeds one is held.
    void warn_if_unlimited(const Rule& rule, const RuleCoverage& space) {
        const auto limits_amount = [](const Limit& limit) { return limit.amount.has_value(); };
        if (std::ranges::any_of(rule.limits, limits_amount) || std::ranges::any_of(set_.limits, limits_amount)) return;
        const bool is_open = std::ranges::any_of(space.boxes, [this](const Box& box) {
            const auto largest = with_largest_amount(box);
            return largest && !is_held_before(*largest);
        });
        if (!is_open) return;
        const bool has_other_limits = !rule.limits.empty() || !set_.limits.empty();
        const bool takes_all = !has_other_limits && matches_every_draw(rule, set_.case_sensitive);
        warn(rule,
             "rule '" + rule.name + "' approves " + (takes_all ? "every draw that reaches it, of" : "draws of") +
                 " any amount",
             "add amountRequested: {lte: ...}, or a limit with an amount");
    }

    [[nodiscard]] bool is_held_before(const Box& box) const {
        return std::ranges::any_of(
            earlier_, [&](const Earlier& other) { return !approves(*other.rule) && covers(other.box, box); });
    }

    void warn(const Rule& rule, std::string message, std::string hint) {
        found_.push_back({std::string(file_name_), rule.line, rule.column, std::move(message), std::move(hint),
                          text::Severity::warning});
    }

    const RuleSet& set_;
    std::string_view file_name_;
    std::vector<Earlier> earlier_;
    text::Diagnostics found_;
};

}  // namespace

text::Diagnostics lint_rules(const RuleSet& set, std::string_view file_name) {
    return RuleLinter(set, file_name).run();
}

}  // namespace drawbridge::rules
