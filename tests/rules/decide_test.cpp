#include "drawbridge/rules/decide.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "rules/rules_fixture.hpp"

namespace drawbridge::rules {
namespace {

const char* const three_rules =
    "version: 1\n"
    "approver_id: 7\n"
    "rules:\n"
    "  - {name: large, when: {amountRequested: {gt: 25000}}, hold: needs a second pair of eyes}\n"
    "  - name: utility\n"
    "    when: {description: {contains: utility}}\n"
    "    approve: {notes: 'by {rule}: {amountRequested} for {caseName}, {fieldC} {{x}}', notify: [a@b.org, c@d.org]}\n"
    "  - {name: small, when: {amountRequested: {lte: 2500}}, approve: {approver_id: 8}}\n";

TEST(Decide, approves_by_the_first_rule_that_matches) {
    const RuleSet rules = rules_of(three_rules);
    const Decision decision = decide(sample_draw(), ListedHistory(), rules, now, utc);
    EXPECT_EQ(decision.outcome, Outcome::approve);
    EXPECT_EQ(decision.rule, "utility");
    EXPECT_EQ(decision.reason, "rule 'utility' matches");
    EXPECT_EQ(decision.approver_id, 7);
    EXPECT_EQ(decision.notes, "by utility: 2500.00 for Müller, 12 Hill Street, null {x}");
    EXPECT_THAT(decision.notify, testing::ElementsAre("a@b.org", "c@d.org"));
    EXPECT_EQ(decision.rule_set_sha256, rules.sha256);
    EXPECT_EQ(decision.decided_at, now);
    ASSERT_EQ(decision.explanation.size(), 2U);
    EXPECT_FALSE(decision.explanation[0].matched);
    EXPECT_TRUE(decision.explanation[1].matched);
}

TEST(Decide, prefers_the_rules_approver_to_the_files) {
    Draw draw = sample_draw();
    draw.description.reset();
    const Decision decision = decide(draw, ListedHistory(), rules_of(three_rules), now, utc);
    EXPECT_EQ(decision.rule, "small");
    EXPECT_EQ(decision.approver_id, 8);
    EXPECT_EQ(decision.notes, "");
}

TEST(Decide, holds_by_a_rule_with_its_reason) {
    Draw draw = sample_draw();
    draw.amount_requested = Money::from_cents(2500001);
    const Decision decision = decide(draw, ListedHistory(), rules_of(three_rules), now, utc);
    EXPECT_EQ(decision.outcome, Outcome::hold);
    EXPECT_EQ(decision.rule, "large");
    EXPECT_EQ(decision.reason, "needs a second pair of eyes");
    EXPECT_EQ(decision.approver_id, 0);
    EXPECT_THAT(decision.notify, testing::IsEmpty());
}

TEST(Decide, holds_a_draw_that_no_rule_matches) {
    Draw draw = sample_draw();
    draw.description.reset();
    draw.amount_requested.reset();
    const Decision decision = decide(draw, ListedHistory(), rules_of(three_rules), now, utc);
    EXPECT_EQ(decision.outcome, Outcome::hold);
    EXPECT_EQ(decision.rule, "");
    EXPECT_EQ(decision.reason, "no rule matches");
    EXPECT_EQ(decision.explanation.size(), 3U);
}

TEST(Decide, never_approves_a_draw_that_is_not_pending_approval) {
    const RuleSet rules = rules_of(one_rule("always"));
    for (const int status : {-1, 0, 1, 2, 4, 5, 6}) {
        Draw draw = sample_draw();
        draw.status = static_cast<DrawStatus>(status);
        const Decision decision = decide(draw, ListedHistory(), rules, now, utc);
        EXPECT_EQ(decision.outcome, Outcome::hold) << status;
        EXPECT_EQ(decision.reason, "the draw is " + to_string(draw.status) + ", not Pending Approval");
        EXPECT_THAT(decision.explanation, testing::IsEmpty());
    }
}

TEST(Decide, keeps_notes_on_one_line_of_limited_length) {
    const RuleSet rules = rules_of(
        "version: 1\napprover_id: 7\nrules:\n  - {name: a, when: always, approve: {notes: '{description}'}}\n");
    Draw draw = sample_draw();
    draw.description = "one\r\ntwo\tthree\n";
    EXPECT_EQ(decide(draw, ListedHistory(), rules, now, utc).notes, "one  two three");
    // One one-byte character, then 250 two-byte characters: the cut would fall inside a character.
    std::string longest = "x";
    for (int i = 0; i < 300; ++i)
        longest += "é";
    draw.description = longest;
    const std::string notes = decide(draw, ListedHistory(), rules, now, utc).notes;
    EXPECT_LE(notes.size(), max_notes_bytes);
    EXPECT_EQ(notes, longest.substr(0, 497) + "...");
    draw.description = "y" + longest;
    EXPECT_EQ(decide(draw, ListedHistory(), rules, now, utc).notes, ("y" + longest).substr(0, 496) + "...");
}

// One rule with `use` as its keys, and one after it that holds.
RuleSet rules_with_use(const std::string& use) {
    return rules_of("version: 1\napprover_id: 7\nrules:\n  - {name: a, " + use +
                    ", when: always, approve: {}}\n  - {name: rest, when: {id: {gte: 0}}, hold: look}\n");
}

TEST(RuleUse, skips_a_disabled_rule) {
    const Decision decision = decide(sample_draw(), ListedHistory(), rules_with_use("enabled: false"), now, utc);
    EXPECT_EQ(decision.rule, "rest");
    ASSERT_EQ(decision.explanation.size(), 2U);
    EXPECT_EQ(decision.explanation[0].skipped, "disabled");
    EXPECT_THAT(explanation_json(decision),
                testing::HasSubstr(R"({"rule":"a","matched":false,"skipped":"disabled","conditions":[]})"));
    EXPECT_FALSE(decision.explanation[0].matched);
    EXPECT_EQ(decide(sample_draw(), ListedHistory(), rules_with_use("enabled: true"), now, utc).rule, "a");
}

TEST(RuleUse, records_a_shadow_rule_and_continues) {
    const Decision decision = decide(sample_draw(), ListedHistory(), rules_with_use("mode: shadow"), now, utc);
    EXPECT_EQ(decision.outcome, Outcome::hold);
    EXPECT_EQ(decision.rule, "rest");
    ASSERT_EQ(decision.explanation.size(), 2U);
    EXPECT_TRUE(decision.explanation[0].matched);
    EXPECT_EQ(decision.explanation[0].shadow, "approve");
    EXPECT_THAT(explanation_json(decision),
                testing::HasSubstr(R"({"rule":"a","matched":true,"shadow":"approve","conditions":[]})"));
    EXPECT_EQ(decide(sample_draw(), ListedHistory(), rules_with_use("mode: active"), now, utc).rule, "a");
}

TEST(RuleUse, never_approves_by_a_shadow_rule_alone) {
    const RuleSet rules = rules_of(
        "version: 1\napprover_id: 7\nrules:\n  - {name: a, mode: shadow, when: always, approve: {}}\n"
        "  - {name: b, mode: shadow, when: always, hold: look}\n");
    const Decision decision = decide(sample_draw(), ListedHistory(), rules, now, utc);
    EXPECT_EQ(decision.outcome, Outcome::hold);
    EXPECT_EQ(decision.rule, "");
    EXPECT_EQ(decision.reason, "no rule matches");
    ASSERT_EQ(decision.explanation.size(), 2U);
    EXPECT_EQ(decision.explanation[1].shadow, "hold: look");
}

TEST(RuleUse, follows_the_days_of_the_time_zone) {
    const TimeZone new_york = TimeZone::find("America/New_York").value();
    const RuleSet rules = rules_with_use("effective: {from: 2026-03-08, to: 2026-03-09}");
    const struct {
        const char* at;
        const TimeZone* zone;
        bool in_effect;
    } cases[] = {{"2026-03-07T23:59:59.999", &utc, false},
                 {"2026-03-08T00:00:00", &utc, true},
                 {"2026-03-09T23:59:59.999", &utc, true},
                 {"2026-03-10T00:00:00", &utc, false},
                 // Midnight is at 05:00 UTC before the clocks change on the 8th and at 04:00 UTC after it.
                 {"2026-03-08T04:59:59.999", &new_york, false},
                 {"2026-03-08T05:00:00", &new_york, true},
                 {"2026-03-10T03:59:59.999", &new_york, true},
                 {"2026-03-10T04:00:00", &new_york, false}};
    for (const auto& c : cases) {
        const Decision decision = decide(sample_draw(), ListedHistory(), rules, parse_instant(c.at).value(), *c.zone);
        EXPECT_EQ(decision.rule == "a", c.in_effect) << c.at << " " << c.zone->name();
    }
    const auto skipped = [&](const char* at) {
        return decide(sample_draw(), ListedHistory(), rules, parse_instant(at).value(), utc).explanation[0].skipped;
    };
    EXPECT_EQ(skipped("2026-03-01"), "in effect from 2026-03-08");
    EXPECT_EQ(skipped("2026-03-11"), "in effect until 2026-03-09");
}

TEST(Explanation, shows_every_condition_with_wanted_and_found_values) {
    const RuleSet rules = rules_of(
        "version: 1\napprover_id: 7\nrules:\n"
        "  - name: a\n"
        "    when: {workflowId: {in: [12, 14]}, amountApproved: {lte: 5}, fieldC: {is: null}}\n"
        "    approve: {}\n"
        "  - {name: b, when: always, hold: look}\n");
    EXPECT_EQ(explanation_json(decide(sample_draw(), ListedHistory(), rules, now, utc)),
              R"({"outcome":"hold","rule":"b","reason":"look","rule_set":")" + rules.sha256 +
                  R"(","rules":[{"rule":"a","matched":false,"conditions":[)"
                  R"({"field":"workflowId","operator":"in","wanted":"12, 14","found":"12","passed":true},)"
                  R"({"field":"amountApproved","operator":"lte","wanted":"5.00","found":"null","passed":false,)"
                  R"("unknown":true,"note":"null never matches a comparison"},)"
                  R"({"field":"fieldC","operator":"is null","wanted":"","found":"null","passed":true}]},)"
                  R"({"rule":"b","matched":true,"conditions":[]}]})");
}

TEST(Explanation, says_why_the_negation_of_a_comparison_with_null_is_unknown) {
    const auto rules = rules_of(one_rule("{fieldC: {not: x}}"));
    EXPECT_THAT(explanation_json(decide(sample_draw(), ListedHistory(), rules, now, utc)),
                testing::HasSubstr(
                    R"("operator":"not","passed":false,"unknown":true,)"
                    R"("note":"a comparison with null is neither true nor false; its negation is unknown too")"));
}

TEST(Explanation, shows_the_parts_of_combinations_and_why_they_are_unknown) {
    const RuleSet rules =
        rules_of(one_rule("{any: [{workflowId: {not: 12}}, {amountApproved: {lte: {field: amountRequested}}}], "
                          "unless: {requestedDate: {older_than: 1d}}, description: {matches: 'b.ll$'}}"));
    const std::string wanted =
        R"x({"outcome":"hold","rule":"","reason":"no rule matches","rule_set":")x" + rules.sha256 +
        R"x(","rules":[{"rule":"the-rule","matched":false,"conditions":[)x"
        R"x({"operator":"any","passed":false,"unknown":true,"parts":[)x"
        R"x({"operator":"not","passed":false,"parts":[)x"
        R"x({"field":"workflowId","operator":"eq","wanted":"12","found":"12","passed":true}]},)x"
        R"x({"field":"amountApproved","operator":"lte","wanted":"amountRequested (2500.00)","found":"null",)x"
        R"x("passed":false,"unknown":true,"note":"null never matches a comparison"}]},)x"
        R"x({"operator":"unless","passed":false,"parts":[)x"
        R"x({"field":"requestedDate","operator":"older_than","wanted":"1d","found":"2026-03-04T05:06:07.000Z",)x"
        R"x("passed":true}]},)x"
        R"x({"field":"description","operator":"matches","wanted":"b.ll$","found":"March utility bill",)x"
        R"x("passed":true}]}]})x";
    EXPECT_EQ(explanation_json(decide(sample_draw(), ListedHistory(), rules, now, utc)), wanted);
}

TEST(Explanation, survives_bytes_that_are_not_utf8) {
    Draw draw = sample_draw();
    draw.description = "\xFF\xFE";
    const Decision decision =
        decide(draw, ListedHistory(), rules_of(one_rule("{description: {contains: x}}")), now, utc);
    EXPECT_THAT(explanation_json(decision), testing::HasSubstr("\"found\":\"\xEF\xBF\xBD\xEF\xBF\xBD\""));
}

}  // namespace
}  // namespace drawbridge::rules
