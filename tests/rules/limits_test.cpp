#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "rules/rules_fixture.hpp"

namespace drawbridge::rules {
namespace {

const TimeZone new_york = TimeZone::find("America/New_York").value();

RuleSet limited(const std::string& of_rule, const std::string& of_all = "") {
    return rules_of("version: 1\napprover_id: 7\n" + (of_all.empty() ? "" : "limits: [" + of_all + "]\n") +
                    "rules:\n  - {name: a, when: always, " + (of_rule.empty() ? "" : "limits: [" + of_rule + "], ") +
                    "approve: {notes: x, notify: [a@b.org]}}\n");
}

Use use(DrawId id, const std::string& at, std::int64_t cents = 10000) {
    const Draw draw = sample_draw();
    return {id,
            parse_instant(at).value(),
            false,
            "a",
            draw.case_id,
            draw.requested_by,
            draw.workflow_id,
            Money::from_cents(cents)};
}

Decision judge(const RuleSet& rules, const std::vector<Use>& uses, const std::string& at,
               const Draw& draw = sample_draw()) {
    History history = History::none();
    for (const Use& one : uses)
        history.add_use(one);
    return decide(draw, history, rules, parse_instant(at).value(), new_york);
}

TEST(Limits, HoldWhatPassesThemWithUsedAndWanted) {
    const RuleSet rules = limited("{per: day, count: 2, amount: 2600.00}");
    EXPECT_EQ(judge(rules, {use(1, "2026-03-05T14:00:00")}, "2026-03-05T15:00:00").outcome, Outcome::approve);
    const auto held = judge(rules, {use(1, "2026-03-05T14:00:00", 10001)}, "2026-03-05T15:00:00");
    EXPECT_EQ(held.outcome, Outcome::hold);
    EXPECT_EQ(held.rule, "a");
    EXPECT_EQ(held.reason, "limit of rule 'a': 2 draws and 2600.00 a day: 1 draw and 100.01 used, 2500.00 wanted");
    EXPECT_EQ(held.approver_id, 0);
    EXPECT_THAT(held.notify, testing::IsEmpty());
    EXPECT_EQ(held.decide_again_at, parse_instant("2026-03-06T05:00:00").value());
    EXPECT_FALSE(held.waits_for_next_run);
    ASSERT_EQ(held.explanation[0].limits.size(), 1U);
    EXPECT_FALSE(held.explanation[0].limits[0].passed);
}

TEST(Limits, BeginAndEndAtMidnightOfTheZoneAlsoWhenTheClocksChange) {
    const struct {
        const char* per;
        const char* used_at;
        const char* at;
        const char* again;  // empty: approved
    } cases[] = {
        {"day", "2026-03-05T04:59:59.999", "2026-03-05T05:00:00", ""},
        {"day", "2026-03-05T05:00:00", "2026-03-06T04:59:59.999", "2026-03-06T05:00:00"},
        // Sunday the 8th has 23 hours, Sunday the 1st of November 25.
        {"day", "2026-03-08T05:00:00", "2026-03-09T03:59:59.999", "2026-03-09T04:00:00"},
        {"day", "2026-03-08T05:00:00", "2026-03-09T04:00:00", ""},
        {"day", "2026-11-01T04:00:00", "2026-11-02T04:59:59.999", "2026-11-02T05:00:00"},
        {"day", "2026-11-01T04:00:00", "2026-11-02T05:00:00", ""},
        // Weeks begin on Monday.
        {"week", "2026-03-02T05:00:00", "2026-03-09T03:59:59.999", "2026-03-09T04:00:00"},
        {"week", "2026-03-02T05:00:00", "2026-03-09T04:00:00", ""},
        {"week", "2026-03-02T04:59:59.999", "2026-03-02T05:00:00", ""},
        {"week", "2026-10-26T04:00:00", "2026-11-02T04:59:59.999", "2026-11-02T05:00:00"},
    };
    for (const auto& c : cases) {
        const auto decision = judge(limited(std::string("{per: ") + c.per + ", count: 1}"), {use(1, c.used_at)}, c.at);
        const std::string again = decision.decide_again_at ? format_service_instant(*decision.decide_again_at) : "";
        EXPECT_EQ(again, c.again) << c.per << " " << c.at;
        EXPECT_EQ(decision.outcome == Outcome::approve, again.empty()) << c.per << " " << c.at;
    }
}

TEST(Limits, OfARunCountItsOwnApprovalsAndWaitForTheNextOne) {
    const RuleSet rules = limited("{per: run, count: 1}");
    const char* const at = "2026-03-05T15:00:00";
    EXPECT_EQ(judge(rules, {use(1, at)}, at).outcome, Outcome::approve) << "of an earlier run";
    Use now_used = use(1, at);
    now_used.this_run = true;
    const auto held = judge(rules, {now_used}, at);
    EXPECT_EQ(held.outcome, Outcome::hold);
    EXPECT_TRUE(held.waits_for_next_run);
    EXPECT_EQ(held.decide_again_at, parse_instant(at).value());
}

TEST(Limits, GoByCaseWorkflowOrRequesterAndByRuleOrAll) {
    const char* const at = "2026-03-05T15:00:00";
    Use other = use(1, at);
    other.case_id = 1;
    other.requested_by = "bob@example.gov";
    other.workflow_id = 1;
    for (const char* by : {"case", "workflow", "requester"}) {
        const RuleSet rules = limited(std::string("{per: day, by: ") + by + ", count: 1}");
        EXPECT_EQ(judge(rules, {other}, at).outcome, Outcome::approve) << by;
        EXPECT_EQ(judge(rules, {use(1, at)}, at).outcome, Outcome::hold) << by;
    }
    Use of_another_rule = use(1, at);
    of_another_rule.rule = "b";
    EXPECT_EQ(judge(limited("{per: day, count: 1}"), {of_another_rule}, at).outcome, Outcome::approve);
    EXPECT_EQ(judge(limited("", "{per: day, count: 1}"), {of_another_rule}, at).reason,
              "limit of all rules: 1 draw a day: 1 draw used, 2500.00 wanted");
}

TEST(Limits, HoldWhatTheyCannotCountAndNeverAskAgain) {
    const char* const at = "2026-03-05T15:00:00";
    Draw draw = sample_draw();
    draw.case_id.reset();
    draw.amount_requested.reset();
    const auto no_case = judge(limited("{per: day, by: case, count: 1}"), {}, at, draw);
    EXPECT_EQ(no_case.reason, "limit of rule 'a': 1 draw a day for each case: caseId is null");
    EXPECT_EQ(no_case.decide_again_at, std::nullopt);
    EXPECT_THAT(judge(limited("{per: day, amount: 1}"), {}, at, draw).reason, testing::HasSubstr("no amount"));
    const auto too_large = judge(limited("{per: run, amount: 2499.99}, {per: day, count: 9}"), {}, at);
    EXPECT_THAT(too_large.reason, testing::EndsWith("the draw alone passes it"));
    EXPECT_EQ(too_large.decide_again_at, std::nullopt);
    EXPECT_FALSE(too_large.waits_for_next_run);
}

TEST(Limits, CountADrawOnceAndNeverAgainstItself) {
    const char* const at = "2026-03-05T15:00:00";
    const RuleSet rules = limited("{per: day, count: 2}");
    EXPECT_EQ(judge(rules, {use(71, at), use(1, at)}, at).outcome, Outcome::approve);
    EXPECT_EQ(judge(rules, {use(1, at), use(1, at)}, at).outcome, Outcome::approve);
    History history = History::none();
    history.add_use(use(1, at));
    history.add_use(use(2, at));
    EXPECT_EQ(decide(sample_draw(), history, rules, parse_instant(at).value(), new_york).outcome, Outcome::hold);
    history.withdraw_use(2);
    EXPECT_EQ(decide(sample_draw(), history, rules, parse_instant(at).value(), new_york).outcome, Outcome::approve);
}

TEST(Again, IsTheEarliestTimeAtWhichTheOutcomeCanChange) {
    const auto again = [](const std::string& rule) {
        const auto decision =
            decide(sample_draw(), History::none(),
                   rules_of("version: 1\napprover_id: 7\nrules:\n  - {name: a, " + rule + "}\n"), now, new_york);
        EXPECT_EQ(decision.outcome, Outcome::hold) << rule;
        return decision.decide_again_at ? format_service_instant(*decision.decide_again_at) : "never";
    };
    // It is requested on the 4th at 05:06:07; now is noon of the 5th.
    EXPECT_EQ(again("when: {requestedDate: {older_than: 3d}}, approve: {}"), "2026-03-07T05:06:07");
    EXPECT_EQ(again("when: {requestedDate: {older_than: 1d}}, hold: x"), "never");
    EXPECT_EQ(again("when: {requestedDate: {newer_than: 2d}}, hold: x"), "2026-03-06T05:06:07");
    EXPECT_EQ(again("effective: {from: 2026-03-08}, when: always, approve: {}"), "2026-03-08T05:00:00");
    EXPECT_EQ(again("effective: {to: 2026-03-08}, when: always, hold: x"), "2026-03-09T04:00:00");
    EXPECT_EQ(again("enabled: false, effective: {from: 2026-03-08}, when: always, approve: {}"), "never");
    EXPECT_EQ(again("mode: shadow, when: {requestedDate: {older_than: 3d}}, approve: {}"), "never");
    EXPECT_EQ(again("when: {workflowId: 1}, approve: {}"), "never");
}

TEST(LimitsInTheRuleFile, ReportMistakesAndDoubts) {
    const struct {
        const char* limits;
        const char* report;
    } cases[] = {
        {"[]",
         "'limits' must be a list of at least one limit: write it like [{per: day, by: case, count: 3, amount: "
         "5000.00}]"},
        {"[{count: 1}]", "missing key 'per' in a limit: add 'per:'"},
        {"[{per: month, count: 1}]", "per is 'month': it must be run, day or week"},
        {"[{per: day}]",
         "a limit has neither 'count' nor 'amount': write it like {per: day, by: case, count: 3, "
         "amount: 5000.00}"},
        {"[{per: day, by: payee, count: 1}]", "by is 'payee': it must be case, workflow or requester"},
        {"[{per: day, count: 0}]", "count is 0"},
        {"[{per: day, amount: 0}]", "a limit of 0.00 approves nothing: use 'enabled: false' to switch a rule off"},
        {"[{per: day, amount: 0.005}]", "'0.005' is not an amount of dollars and cents"},
        {"[{per: day, cuont: 1}]", "unknown key 'cuont' in a limit: did you mean 'count'?"},
        {"[{per: day, count: 2}, {per: day, amount: 5}]",
         "warning: a second limit per day, as on line 1: write both into one"},
        {"[{per: week, count: 2}, {per: day, count: 2}]",
         "warning: this limit is never reached before that of the week on line 1: lower it, or remove it"},
    };
    for (const auto& c : cases) {
        const auto set = parse_rules("{limits: " + std::string(c.limits) +
                                         ", version: 1, approver_id: 1, rules: [{name: a, when: always, approve: {}}]}",
                                     "r");
        EXPECT_THAT(to_string(set ? set->warnings : set.error()), testing::HasSubstr(c.report)) << c.limits;
    }
    const auto holds =
        parse_rules("{version: 1, rules: [{name: a, when: always, limits: [{per: day, count: 1}], hold: x}]}", "r");
    ASSERT_FALSE(holds);
    EXPECT_EQ(to_string(holds.error()),
              "r:1:54: rule 'a' holds: there is nothing to limit: limits are for rules that approve\n");
}

TEST(HistoryInTheRuleFile, ReportsMistakesAndContradictions) {
    const struct {
        const char* when;
        const char* report;
    } cases[] = {
        {"{duplicate_within: 0d}", "duplicate_within is 0d: it must be longer than 0s and at most 36500d"},
        {"{duplicate_within: soon}", "duplicate_within"},
        {"{case_total: 5}", "'case_total' must be a map of keys, not '5': its keys are over, eq, gt, gte, lt, lte"},
        {"{case_total: {lte: 5}}", "missing key 'over' in 'case_total': add 'over:'"},
        {"{case_total: {over: 30d}}", "case_total compares with nothing: write it like {over: 30d, lte: 7500.00}"},
        {"{case_total: {over: 30d, lte: 1.234}}", "case_total.lte: '1.234' is not an amount"},
        {"{case_count: {over: 30d, lte: 1.5}}", "case_count.lte"},
        {"{case_totel: {over: 30d, lte: 1}}", "did you mean 'case_total'?"},
        {"{case_count: {over: 30d, lt: 1}}",
         "warning: rule 'the-rule' can never match: no draw fulfils its conditions "
         "on case_count over 30d"},
        {"{case_total: {over: 30d, gt: 5, lte: 5}}",
         "can never match: no draw fulfils its conditions on case_total "
         "over 30d"},
        {"{all: [{case_total: {over: 30d, gt: 5}}, {case_total: {over: 31d, lte: 5}}]}", ""},
    };
    for (const auto& c : cases) {
        const auto set = parse_rules(one_rule(c.when), "r");
        const std::string report = to_string(set ? set->warnings : set.error());
        EXPECT_THAT(report, testing::HasSubstr(c.report)) << c.when;
        EXPECT_EQ(report.empty(), *c.report == '\0') << report;
    }
}

}  // namespace
}  // namespace drawbridge::rules
