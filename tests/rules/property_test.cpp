#include <gtest/gtest.h>

#include <set>
#include <string>

#include "drawbridge/rules/decide.hpp"
#include "rules/naive_rules.hpp"

namespace drawbridge::rules {
namespace {

const Instant noon = parse_instant("2026-03-15T12:00:00").value();

// "rule 'r2' is never reached" → r2
std::string rule_in_doubt(const text::Diagnostic& warning) {
    if (!warning.message.starts_with("rule '") || warning.message.contains("approves every draw")) return {};
    return warning.message.substr(6, warning.message.find('\'', 6) - 6);
}

TEST(RandomRules, are_decided_as_by_the_naive_evaluator_and_no_doubt_about_them_is_wrong) {
    const TimeZone zone = TimeZone::find("UTC").value();
    naive::Random random(20'260'315);
    int approved = 0, held_by_rule = 0, doubts = 0;
    for (int round = 0; round < 3000; ++round) {
        const auto rules = naive::random_rules(random);
        const bool case_sensitive = round % 2 == 0;
        const std::string text = naive::to_yaml(rules, case_sensitive);
        const auto set = parse_rules(text, "r.yaml");
        ASSERT_TRUE(set.has_value()) << text << to_string(set.error());
        std::set<std::string> in_doubt;
        for (const auto& warning : set->warnings)
            in_doubt.insert(rule_in_doubt(warning));
        in_doubt.erase("");
        doubts += static_cast<int>(in_doubt.size());
        for (int i = 0; i < 40; ++i) {
            const Draw draw = naive::random_draw(random);
            const Decision decision = decide(draw, ListedHistory(), *set, noon, zone);
            const naive::Verdict wanted = naive::decide(draw, rules, case_sensitive);
            const naive::Verdict found{decision.outcome == Outcome::approve, decision.rule};
            ASSERT_EQ(found.approve, wanted.approve) << text << explanation_json(decision);
            ASSERT_EQ(found.rule, wanted.rule) << text << explanation_json(decision);
            approved += wanted.approve ? 1 : 0;
            held_by_rule += !wanted.approve && !wanted.rule.empty() ? 1 : 0;
            for (const RuleResult& looked : decision.explanation) {
                ASSERT_FALSE(looked.matched && in_doubt.contains(looked.rule))
                    << text << to_string(set->warnings) << explanation_json(decision);
            }
        }
    }
    // The rounds were not about nothing.
    EXPECT_GT(approved, 10'000);
    EXPECT_GT(held_by_rule, 10'000);
    EXPECT_GT(doubts, 100);
}

}  // namespace
}  // namespace drawbridge::rules
