#include <gtest/gtest.h>

#include <set>
#include <string>

#include "drawbridge/rules/decide.hpp"
#include "rules/naive_rules.hpp"

namespace drawbridge::rules {
namespace {

const Instant noon = parse_instant("2026-03-15T12:00:00").value();

// "rule 'r2' is never reached" → r2
std::string rule_of_warning(const text::Diagnostic& warning) {
    if (!warning.message.starts_with("rule '") || !warning.message.contains(" never ")) return {};
    return warning.message.substr(6, warning.message.find('\'', 6) - 6);
}

TEST(RandomRules, match_the_naive_evaluator_and_every_lint_warning_is_right) {
    const TimeZone zone = TimeZone::find("UTC").value();
    naive::Random random(20'260'315);
    int approved = 0, held_by_rule = 0, linted = 0;
    for (int round = 0; round < 3000; ++round) {
        const auto rules = naive::random_rules(random);
        const bool case_sensitive = round % 2 == 0;
        const std::string text = naive::to_yaml(rules, case_sensitive);
        const auto set = parse_rules(text, "r.yaml");
        ASSERT_TRUE(set.has_value()) << text << to_string(set.error());
        std::set<std::string> useless;
        for (const auto& warning : set->warnings)
            useless.insert(rule_of_warning(warning));
        useless.erase("");
        linted += static_cast<int>(useless.size());
        for (int i = 0; i < 40; ++i) {
            const Draw draw = naive::random_draw(random);
            const Decision decision = decide(draw, ListedHistory(), *set, noon, zone);
            const naive::Verdict wanted = naive::decide(draw, rules, case_sensitive);
            const naive::Verdict found{decision.outcome == Outcome::approve, decision.rule};
            ASSERT_EQ(found.approve, wanted.approve) << text << explanation_json(decision);
            ASSERT_EQ(found.rule, wanted.rule) << text << explanation_json(decision);
            approved += wanted.approve ? 1 : 0;
            held_by_rule += !wanted.approve && !wanted.rule.empty() ? 1 : 0;
            for (const RuleResult& result : decision.explanation) {
                ASSERT_FALSE(result.matched && useless.contains(result.rule))
                    << text << to_string(set->warnings) << explanation_json(decision);
            }
        }
    }
    // The rounds exercised every outcome often enough.
    EXPECT_GT(approved, 10'000);
    EXPECT_GT(held_by_rule, 10'000);
    EXPECT_GT(linted, 100);
}

}  // namespace
}  // namespace drawbridge::rules
