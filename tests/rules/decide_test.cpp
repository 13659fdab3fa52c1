#include "drawbridge/rules/decide.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace drawbridge::rules {
namespace {

const Instant now = parse_instant("2026-03-05T12:00:00").value();
const TimeZone utc = TimeZone::find("UTC").value();

Draw sample_draw() {
    Draw draw;
    draw.id = 71;
    draw.case_id = 9;
    draw.case_name = "Müller, 12 Hill Street";
    draw.status = DrawStatus::pending_approval;
    draw.requested_by = "ann@example.gov";
    draw.requested_date = parse_instant("2026-03-04T05:06:07").value();
    draw.amount_requested = Money::from_cents(250000);
    draw.description = "March utility bill";
    draw.modified_by = "ann@example.gov";
    draw.modified_date = draw.requested_date;
    draw.field_a = "0012";
    draw.field_b = "";
    draw.workflow_id = 12;
    return draw;
}

RuleSet rules_of(const std::string& text) {
    auto set = parse_rules(text, "r.yaml");
    EXPECT_TRUE(set.has_value()) << text << to_string(set.error());
    return set.value_or(RuleSet());
}

std::string one_rule(const std::string& when, const std::string& top = "") {
    return "version: 1\napprover_id: 7\n" + top + "rules:\n  - {name: the-rule, when: " + when + ", approve: {}}\n";
}

bool matches(const std::string& when, const std::string& top = "") {
    return decide(sample_draw(), rules_of(one_rule(when, top)), now, utc).outcome == Outcome::approve;
}

struct Case {
    const char* when;
    bool matches;
};

void expect_matches(const std::vector<Case>& cases) {
    for (const Case& c : cases)
        EXPECT_EQ(matches(c.when), c.matches) << c.when;
}

TEST(Condition, ComparesAmounts) {
    expect_matches({{"{amountRequested: 2500}", true},
                    {"{amountRequested: 2500.00}", true},
                    {"{amountRequested: 2500.01}", false},
                    {"{amountRequested: {eq: 2500.0}}", true},
                    {"{amountRequested: {gt: 2499.99}}", true},
                    {"{amountRequested: {gt: 2500}}", false},
                    {"{amountRequested: {gte: 2500}}", true},
                    {"{amountRequested: {gte: 2500.01}}", false},
                    {"{amountRequested: {lt: 2500.01}}", true},
                    {"{amountRequested: {lt: 2500}}", false},
                    {"{amountRequested: {lte: 2500}}", true},
                    {"{amountRequested: {lte: 2499.99}}", false},
                    {"{amountRequested: {gt: 0, lte: 2500.00}}", true},
                    {"{amountRequested: {gt: 0, lte: 2400.00}}", false},
                    {"{amountRequested: {gt: 2600, lte: 3000.00}}", false},
                    {"{amountRequested: {in: [1, 2500, 3]}}", true},
                    {"{amountRequested: {in: [1, 3]}}", false}});
}

TEST(Condition, ComparesNumbers) {
    expect_matches({{"{workflowId: 12}", true},
                    {"{workflowId: 13}", false},
                    {"{workflowId: {in: [12, 14]}}", true},
                    {"{workflowId: {in: [11, 14]}}", false},
                    {"{workflowId: {gt: 11, lt: 13}}", true},
                    {"{workflowId: {gte: 13}}", false},
                    {"{status: 3}", true},
                    {"{id: {lte: 71}}", true},
                    {"{id: {lt: 71}}", false}});
}

TEST(Condition, ComparesDates) {
    expect_matches({{"{requestedDate: 2026-03-04T05:06:07}", true},
                    {"{requestedDate: 2026-03-04T05:06:07Z}", true},
                    {"{requestedDate: 2026-03-04T00:06:07-05:00}", true},
                    {"{requestedDate: 2026-03-04T05:06:08}", false},
                    {"{requestedDate: {gte: 2026-03-04, lt: 2026-03-05}}", true},
                    {"{requestedDate: {gt: 2026-03-05}}", false},
                    {"{requestedDate: {lte: 2026-03-04}}", false},
                    {"{requestedDate: {lt: '2026-03-04 05:06:08'}}", true}});
}

TEST(Condition, ComparesTexts) {
    expect_matches({{"{description: March utility bill}", true},
                    {"{description: march UTILITY bill}", true},
                    {"{description: utility}", false},
                    {"{description: {contains: UTILITY}}", true},
                    {"{description: {contains: water}}", false},
                    {"{description: {startsWith: march}}", true},
                    {"{description: {startsWith: bill}}", false},
                    {"{description: {endsWith: Bill}}", true},
                    {"{description: {endsWith: the whole March utility bill}}", false},
                    {"{description: {startsWith: m, contains: utility, endsWith: bill}}", true},
                    {"{description: {startsWith: m, contains: water, endsWith: bill}}", false},
                    {"{description: {in: [x, MARCH utility BILL]}}", true},
                    {"{caseName: {startsWith: Müller}}", true},
                    {"{caseName: {startsWith: MÜLLER}}", false},
                    {"{fieldA: 0012}", true},
                    {"{fieldA: 12}", false},
                    {"{fieldA: '0012'}", true},
                    {"{fieldB: ''}", true},
                    {"{fieldA: ''}", false}});
}

TEST(Condition, NeverMatchesNullButForIs) {
    expect_matches({{"{fieldC: {is: null}}", true},
                    {"{fieldC: {is: ~}}", true},
                    {"{fieldC: {is: not null}}", false},
                    {"{fieldA: {is: not null}}", true},
                    {"{fieldA: {is: null}}", false},
                    {"{fieldB: {is: null}}", false},
                    {"{amountApproved: 0}", false},
                    {"{amountApproved: {gte: 0}}", false},
                    {"{amountApproved: {lt: 100}}", false},
                    {"{amountApproved: {in: [0, 1]}}", false},
                    {"{approvedDate: {lt: 2030-01-01}}", false},
                    {"{fieldC: ''}", false},
                    {"{fieldC: {contains: a}}", false}});
}

TEST(Condition, MatchesRegularExpressions) {
    expect_matches({{"{description: {matches: utility}}", true},
                    {"{description: {matches: 'UTILITY b[a-z]+$'}}", true},
                    {"{description: {matches: '^utility'}}", false},
                    {"{description: {matches: '^(march|april) .*bill$'}}", true},
                    {"{description: {matches: '\\d'}}", false},
                    {"{fieldA: {matches: '^\\d{4}$'}}", true},
                    {"{fieldA: {matches: '^\\d{3}$'}}", false},
                    {"{caseName: {matches: '^M.ller'}}", true},
                    {"{fieldB: {matches: '^$'}}", true},
                    {"{fieldC: {matches: '.*'}}", false}});
}

TEST(Condition, MatchesInTimeLinearInTheText) {
    Draw draw = sample_draw();
    draw.description = std::string(100'000, 'a');
    const RuleSet rules = rules_of(one_rule("{description: {matches: '^(a+)+(a|aa)*$b'}}"));
    EXPECT_EQ(decide(draw, rules, now, utc).outcome, Outcome::hold);
}

// The draw was requested on 4 March at 05:06:07, the decision is made on 5 March at noon: 30:53:53 later.
TEST(Condition, ComparesDatesWithTheTimeOfTheDecision) {
    expect_matches({{"{requestedDate: {older_than: 1d}}", true},
                    {"{requestedDate: {older_than: 2d}}", false},
                    {"{requestedDate: {newer_than: 2d}}", true},
                    {"{requestedDate: {newer_than: 30h}}", false},
                    {"{requestedDate: {older_than: 30h, newer_than: 31h}}", true},
                    {"{requestedDate: {older_than: 111232s}}", true},
                    {"{requestedDate: {older_than: 111233s}}", false},
                    {"{requestedDate: {newer_than: 111233s}}", false},
                    {"{requestedDate: {newer_than: 111234s}}", true},
                    {"{requestedDate: {older_than: 36500d}}", false},
                    {"{approvedDate: {older_than: 1d}}", false},
                    {"{approvedDate: {newer_than: 1d}}", false}});
}

TEST(Condition, ComparesFieldsWithEachOther) {
    Draw draw = sample_draw();
    draw.amount_approved = Money::from_cents(249999);
    draw.field_c = "0012";
    draw.approved_date = draw.requested_date;
    const std::vector<Case> cases = {{"{amountApproved: {lte: {field: amountRequested}}}", true},
                                     {"{amountApproved: {lt: {field: amountRequested}}}", true},
                                     {"{amountApproved: {eq: {field: amountRequested}}}", false},
                                     {"{amountRequested: {gt: {field: amountApproved}}}", true},
                                     {"{amountRequested: {gte: {field: amountDisbursed}}}", false},
                                     {"{amountDisbursed: {lte: {field: amountRequested}}}", false},
                                     {"{requestedDate: {gte: {field: approvedDate}}}", true},
                                     {"{requestedBy: {eq: {field: modifiedBy}}}", true},
                                     {"{requestedBy: {not: {eq: {field: modifiedBy}}}}", false},
                                     {"{fieldA: {eq: {field: fieldC}}}", true},
                                     {"{fieldA: {eq: {field: fieldB}}}", false},
                                     {"{workflowId: {lt: {field: id}}}", true}};
    for (const Case& c : cases) {
        const auto set = parse_rules(one_rule(c.when), "r.yaml");
        const bool matched = set && decide(draw, *set, now, utc).outcome == Outcome::approve;
        EXPECT_EQ(matched, c.matches) << c.when;
    }
}

TEST(Condition, CombinesWithAnyAllAndUnless) {
    expect_matches({{"{any: [{workflowId: 1}, {workflowId: 12}]}", true},
                    {"{any: [{workflowId: 1}, {workflowId: 2}]}", false},
                    {"{any: [{workflowId: 12, amountRequested: 1}, {workflowId: 1}]}", false},
                    {"{any: [{workflowId: 12}], amountRequested: 1}", false},
                    {"{all: [{description: {contains: utility}}, {description: {contains: bill}}]}", true},
                    {"{all: [{description: {contains: utility}}, {description: {contains: water}}]}", false},
                    {"{unless: {workflowId: 1}}", true},
                    {"{unless: {workflowId: 12}}", false},
                    {"{unless: {workflowId: 12, amountRequested: 1}}", true},
                    {"{unless: {any: [{workflowId: 12}, {amountRequested: 1}]}}", false},
                    {"{workflowId: {not: 13}}", true},
                    {"{workflowId: {not: 12}}", false},
                    {"{workflowId: {not: {in: [11, 12]}}}", false},
                    {"{workflowId: {not: {gt: 12, lt: 14}}}", true},
                    {"{workflowId: {not: {not: 12}}}", true},
                    {"{description: {not: {contains: water}, contains: bill}}", true},
                    {"{fieldC: {not: {is: null}}}", false},
                    {"{fieldA: {not: {is: null}}}", true}});
}

// fieldC and amountApproved are null: a comparison with them is unknown, and so is its opposite.
TEST(Condition, IsUnknownWithNullAndSoIsItsOpposite) {
    expect_matches({{"{fieldC: {not: x}}", false},
                    {"{fieldC: {not: {contains: x}}}", false},
                    {"{fieldC: {not: {not: x}}}", false},
                    {"{unless: {fieldC: x}}", false},
                    {"{unless: {unless: {fieldC: x}}}", false},
                    {"{unless: {amountApproved: {gt: 5}}}", false},
                    {"{unless: {amountApproved: {lte: {field: amountRequested}}}}", false},
                    {"{unless: {approvedDate: {older_than: 3d}}}", false},
                    {"{unless: {fieldC: {matches: x}}}", false},
                    // What is known elsewhere decides where it can.
                    {"{any: [{fieldC: x}, {workflowId: 12}]}", true},
                    {"{any: [{fieldC: x}, {workflowId: 1}]}", false},
                    {"{unless: {any: [{fieldC: x}, {workflowId: 1}]}}", false},
                    {"{unless: {fieldC: x, workflowId: 1}}", true},
                    {"{unless: {fieldC: x, workflowId: 12}}", false},
                    {"{any: [{fieldC: {is: null}}, {fieldC: {not: x}}]}", true}});
}

TEST(Condition, NeedsEveryPart) {
    expect_matches({{"always", true},
                    {"{}", true},
                    {"{workflowId: 12, amountRequested: 2500}", true},
                    {"{workflowId: 12, amountRequested: 1}", false},
                    {"{workflowId: 1, amountRequested: 2500}", false}});
}

TEST(CaseSensitive, SwitchesEveryTextComparison) {
    const std::string top = "case_sensitive: true\n";
    for (const char* when : {"{description: March utility bill}", "{description: {contains: utility}}",
                             "{description: {startsWith: Mar}}", "{description: {endsWith: bill}}"})
        EXPECT_TRUE(matches(when, top)) << when;
    for (const char* when : {"{description: march utility bill}", "{description: {contains: Utility}}",
                             "{description: {startsWith: mar}}", "{description: {endsWith: Bill}}"})
        EXPECT_FALSE(matches(when, top)) << when;
}

const char* const three_rules =
    "version: 1\n"
    "approver_id: 7\n"
    "rules:\n"
    "  - {name: large, when: {amountRequested: {gt: 25000}}, hold: needs a second pair of eyes}\n"
    "  - name: utility\n"
    "    when: {description: {contains: utility}}\n"
    "    approve: {notes: 'by {rule}: {amountRequested} for {caseName}, {fieldC} {{x}}', notify: [a@b.org, c@d.org]}\n"
    "  - {name: small, when: {amountRequested: {lte: 2500}}, approve: {approver_id: 8}}\n";

TEST(Decide, ApprovesByTheFirstRuleThatMatches) {
    const RuleSet rules = rules_of(three_rules);
    const Decision decision = decide(sample_draw(), rules, now, utc);
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

TEST(Decide, TakesTheRulesOwnApproverBeforeTheFiles) {
    Draw draw = sample_draw();
    draw.description.reset();
    const Decision decision = decide(draw, rules_of(three_rules), now, utc);
    EXPECT_EQ(decision.rule, "small");
    EXPECT_EQ(decision.approver_id, 8);
    EXPECT_EQ(decision.notes, "");
}

TEST(Decide, HoldsByARuleWithItsReason) {
    Draw draw = sample_draw();
    draw.amount_requested = Money::from_cents(2500001);
    const Decision decision = decide(draw, rules_of(three_rules), now, utc);
    EXPECT_EQ(decision.outcome, Outcome::hold);
    EXPECT_EQ(decision.rule, "large");
    EXPECT_EQ(decision.reason, "needs a second pair of eyes");
    EXPECT_EQ(decision.approver_id, 0);
    EXPECT_THAT(decision.notify, testing::IsEmpty());
}

TEST(Decide, HoldsWhatNoRuleMatches) {
    Draw draw = sample_draw();
    draw.description.reset();
    draw.amount_requested.reset();
    const Decision decision = decide(draw, rules_of(three_rules), now, utc);
    EXPECT_EQ(decision.outcome, Outcome::hold);
    EXPECT_EQ(decision.rule, "");
    EXPECT_EQ(decision.reason, "no rule matches");
    EXPECT_EQ(decision.explanation.size(), 3U);
}

TEST(Decide, NeverApprovesADrawThatIsNotPendingApproval) {
    const RuleSet rules = rules_of(one_rule("always"));
    for (const int status : {-1, 0, 1, 2, 4, 5, 6}) {
        Draw draw = sample_draw();
        draw.status = static_cast<DrawStatus>(status);
        const Decision decision = decide(draw, rules, now, utc);
        EXPECT_EQ(decision.outcome, Outcome::hold) << status;
        EXPECT_EQ(decision.reason, "the draw is " + to_string(draw.status) + ", not Pending Approval");
        EXPECT_THAT(decision.explanation, testing::IsEmpty());
    }
}

TEST(Decide, KeepsNotesOnOneLineOfLimitedLength) {
    const RuleSet rules = rules_of(
        "version: 1\napprover_id: 7\nrules:\n  - {name: a, when: always, approve: {notes: '{description}'}}\n");
    Draw draw = sample_draw();
    draw.description = "one\r\ntwo\tthree\n";
    EXPECT_EQ(decide(draw, rules, now, utc).notes, "one  two three");
    // 250 two-byte characters after one of one byte: the cut would fall inside a character.
    std::string longest = "x";
    for (int i = 0; i < 300; ++i)
        longest += "é";
    draw.description = longest;
    const std::string notes = decide(draw, rules, now, utc).notes;
    EXPECT_LE(notes.size(), max_notes_bytes);
    EXPECT_EQ(notes, longest.substr(0, 497) + "...");
    draw.description = "y" + longest;
    EXPECT_EQ(decide(draw, rules, now, utc).notes, ("y" + longest).substr(0, 496) + "...");
}

// One rule that is used as `use` says, and one after it that holds.
RuleSet rules_with_use(const std::string& use) {
    return rules_of("version: 1\napprover_id: 7\nrules:\n  - {name: a, " + use +
                    ", when: always, approve: {}}\n  - {name: rest, when: {id: {gte: 0}}, hold: look}\n");
}

TEST(Use, LeavesADisabledRuleOut) {
    const Decision decision = decide(sample_draw(), rules_with_use("enabled: false"), now, utc);
    EXPECT_EQ(decision.rule, "rest");
    ASSERT_EQ(decision.explanation.size(), 2U);
    EXPECT_EQ(decision.explanation[0].skipped, "disabled");
    EXPECT_FALSE(decision.explanation[0].matched);
    EXPECT_EQ(decide(sample_draw(), rules_with_use("enabled: true"), now, utc).rule, "a");
}

TEST(Use, RecordsAShadowRuleAndGoesOn) {
    const Decision decision = decide(sample_draw(), rules_with_use("mode: shadow"), now, utc);
    EXPECT_EQ(decision.outcome, Outcome::hold);
    EXPECT_EQ(decision.rule, "rest");
    ASSERT_EQ(decision.explanation.size(), 2U);
    EXPECT_TRUE(decision.explanation[0].matched);
    EXPECT_EQ(decision.explanation[0].shadow, "approve");
    EXPECT_THAT(explanation_json(decision),
                testing::HasSubstr(R"({"rule":"a","matched":true,"shadow":"approve","conditions":[]})"));
    EXPECT_EQ(decide(sample_draw(), rules_with_use("mode: active"), now, utc).rule, "a");
}

TEST(Use, NeverApprovesByAShadowRuleAlone) {
    const RuleSet rules = rules_of(
        "version: 1\napprover_id: 7\nrules:\n  - {name: a, mode: shadow, when: always, approve: {}}\n"
        "  - {name: b, mode: shadow, when: always, hold: look}\n");
    const Decision decision = decide(sample_draw(), rules, now, utc);
    EXPECT_EQ(decision.outcome, Outcome::hold);
    EXPECT_EQ(decision.rule, "");
    EXPECT_EQ(decision.reason, "no rule matches");
    ASSERT_EQ(decision.explanation.size(), 2U);
    EXPECT_EQ(decision.explanation[1].shadow, "hold: look");
}

TEST(Use, KeepsToTheDaysOfTheZone) {
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
                 // Midnight is at 05:00 UTC before the clocks change on the 8th, at 04:00 after it.
                 {"2026-03-08T04:59:59.999", &new_york, false},
                 {"2026-03-08T05:00:00", &new_york, true},
                 {"2026-03-10T03:59:59.999", &new_york, true},
                 {"2026-03-10T04:00:00", &new_york, false}};
    for (const auto& c : cases) {
        const Decision decision = decide(sample_draw(), rules, parse_instant(c.at).value(), *c.zone);
        EXPECT_EQ(decision.rule == "a", c.in_effect) << c.at << " " << c.zone->name();
    }
    const auto skipped = [&](const char* at) {
        return decide(sample_draw(), rules, parse_instant(at).value(), utc).explanation[0].skipped;
    };
    EXPECT_EQ(skipped("2026-03-01"), "in effect from 2026-03-08");
    EXPECT_EQ(skipped("2026-03-11"), "in effect until 2026-03-09");
}

TEST(Explanation, ShowsEveryConditionWithWhatWasWantedAndFound) {
    const RuleSet rules = rules_of(
        "version: 1\napprover_id: 7\nrules:\n"
        "  - name: a\n"
        "    when: {workflowId: {in: [12, 14]}, amountApproved: {lte: 5}, fieldC: {is: null}}\n"
        "    approve: {}\n"
        "  - {name: b, when: always, hold: look}\n");
    EXPECT_EQ(explanation_json(decide(sample_draw(), rules, now, utc)),
              R"({"outcome":"hold","rule":"b","reason":"look","rule_set":")" + rules.sha256 +
                  R"(","rules":[{"rule":"a","matched":false,"conditions":[)"
                  R"({"field":"workflowId","operator":"in","wanted":"12, 14","found":"12","passed":true},)"
                  R"({"field":"amountApproved","operator":"lte","wanted":"5.00","found":"null","passed":false,)"
                  R"("unknown":true,"note":"null never matches a comparison"},)"
                  R"({"field":"fieldC","operator":"is null","wanted":"","found":"null","passed":true}]},)"
                  R"({"rule":"b","matched":true,"conditions":[]}]})");
}

TEST(Explanation, ShowsWhatCombinationsConsistOfAndWhyTheyAreUnknown) {
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
    EXPECT_EQ(explanation_json(decide(sample_draw(), rules, now, utc)), wanted);
}

TEST(Explanation, SurvivesBytesThatAreNotUtf8) {
    Draw draw = sample_draw();
    draw.description = "\xFF\xFE";
    const Decision decision = decide(draw, rules_of(one_rule("{description: {contains: x}}")), now, utc);
    EXPECT_THAT(explanation_json(decision), testing::HasSubstr("\"found\":\"\xEF\xBF\xBD\xEF\xBF\xBD\""));
}

}  // namespace
}  // namespace drawbridge::rules
