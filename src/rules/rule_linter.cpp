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
        warn_if_unreachable(rule, *space);
        warn_if_unconditional(rule);
        if (rule.shadow) return;
        for (const Box& box : space->boxes)
            earlier_.push_back({&rule, box});
    }

    void warn_impossible(const Rule& rule, const std::string& where) {
        const bool status = where == "status";
        warn(rule, "rule '" + rule.name + "' can never match: no draw satisfies its conditions on " + where,
             status ? "the rules see only draws with status 3 (Pending Approval)" : "correct them or remove the rule");
    }

    void warn_if_unreachable(const Rule& rule, const RuleCoverage& space) {
        std::vector<const Rule*> covering;
        for (const Box& box : space.boxes) {
            const auto earlier =
                std::ranges::find_if(earlier_, [&](const Earlier& other) { return covers(other.box, box); });
            if (earlier == earlier_.end()) return;
            if (std::ranges::find(covering, earlier->rule) == covering.end()) covering.push_back(earlier->rule);
        }
        std::string hint;
        for (const Rule* other : covering)
            hint += (hint.empty() ? "" : ", ") + ("rule '" + other->name + "' on line " + std::to_string(other->line));
        hint += covering.size() == 1 ? " decides" : " together decide";
        hint += " every draw that it would match: move it up or remove it";
        warn(rule, "rule '" + rule.name + "' is never reached", std::move(hint));
    }

    // Limits are conditions too: a draw that exceeds one is held.
    void warn_if_unconditional(const Rule& rule) {
        const bool approves = std::holds_alternative<Approve>(rule.outcome) && !rule.shadow;
        if (!approves || !rule.limits.empty() || !set_.limits.empty()) return;
        if (!matches_every_draw(rule, set_.case_sensitive)) return;
        warn(rule, "rule '" + rule.name + "' approves every draw that reaches it, of any amount",
             "narrow it in 'when', or give it 'limits'");
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
