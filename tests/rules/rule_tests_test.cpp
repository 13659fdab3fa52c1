#include "drawbridge/rules/rule_tests.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace drawbridge::rules {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string report(const std::string& text) {
    const auto tests = parse_rule_tests(text, "t.yaml");
    return tests ? "valid\n" : to_string(tests.error());
}

const char* const rules_text =
    "version: 1\napprover_id: 7\nrules:\n"
    "  - {name: large, when: {amountRequested: {gt: 100}}, hold: too much}\n"
    "  - {name: later, effective: {from: 2026-03-09}, when: {workflowId: 3}, approve: {notes: 'for {caseName}'}}\n"
    "  - {name: quiet, mode: shadow, when: {workflowId: 4}, approve: {}}\n"
    "  - {name: off, enabled: false, when: {workflowId: 5}, approve: {}}\n";

RuleTestReport run(const std::string& tests_text) {
    const auto rules = parse_rules(rules_text, "r.yaml");
    const auto tests = parse_rule_tests(tests_text, "t.yaml");
    EXPECT_TRUE(tests.has_value()) << to_string(tests.error());
    return run_rule_tests(*tests, *rules);
}

const std::string head = "version: 1\nnow: 2026-03-09T12:00:00\ntests:\n";

TEST(RuleTests, pass_when_every_draw_is_decided_as_expected) {
    const auto report =
        run(head +
            "  - {name: a, draw: {amountRequested: 100.01}, expect: {outcome: hold, rule: large, "
            "reason: too much}}\n"
            "  - {name: b, draws: [{workflowId: 3, caseName: x}, {workflowId: 3, caseName: x, id: 9}], "
            "expect: {outcome: approve, rule: later, notes: for x, approver_id: 7}}\n"
            "  - {name: c, draw: {workflowId: 4}, expect: {outcome: hold, rule: null}}\n"
            "  - {name: d, now: 2026-03-08T12:00:00, draw: {workflowId: 3}, expect: {outcome: hold}}\n");
    ASSERT_EQ(report.results.size(), 4U);
    for (const auto& result : report.results)
        EXPECT_THAT(result.failures, IsEmpty()) << result.name;
    EXPECT_EQ(report.failed(), 0U);
    EXPECT_THAT(report.unexercised, IsEmpty());  // a disabled rule needs no test
}

TEST(RuleTests, report_the_expected_and_the_actual_decision) {
    const auto report = run(
        head +
        "  - {name: a, draws: [{amountRequested: 1}, {amountRequested: 101}], expect: {outcome: hold, rule: large}}\n"
        "  - {name: b, draw: {amountRequested: 1}, expect: {outcome: approve}}\n"
        "  - {name: c, draw: {amountRequested: 101}, expect: {outcome: hold, rule: null}}\n"
        "  - {name: d, draw: {amountRequested: 101}, expect: {outcome: hold, reason: too little}}\n"
        "  - {name: e, draw: {workflowId: 3}, expect: {outcome: approve, approver_id: 8, notes: for you}}\n"
        "  - {name: f, draw: {workflowId: 3, status: 4}, expect: {outcome: approve}}\n");
    std::vector<std::string> failures;
    for (const auto& result : report.results)
        failures.insert(failures.end(), result.failures.begin(), result.failures.end());
    EXPECT_THAT(
        failures,
        ElementsAre("draw 1: expected hold by rule 'large', decided hold by no rule: no rule matches",
                    "draw 1: expected approve, decided hold by no rule: no rule matches",
                    "draw 1: expected hold by no rule, decided hold by rule 'large': too much",
                    "draw 1: expected reason 'too little', found 'too much'",
                    "draw 1: expected notes 'for you', found 'for null'", "draw 1: expected approver_id '8', found '7'",
                    "draw 1: expected approve, decided hold by no rule: the draw is Approved, not Pending "
                    "Approval"));
    EXPECT_EQ(report.failed(), 6U);
    EXPECT_THAT(report.unexercised, ElementsAre("quiet"));
}

TEST(RuleTests, name_only_rules_that_exist) {
    const auto report =
        run(head +
            "  - {name: a, draw: {workflowId: 3}, history: [{approved_by_rule: latr}], expect: {outcome: approve}}\n"
            "  - {name: b, draw: {amountRequested: 101}, expect: {outcome: hold, rule: larg}}\n");
    EXPECT_THAT(report.results[0].failures,
                ElementsAre("approved_by_rule names rule 'latr', which the rule file does not have: did you mean "
                            "'later'?"));
    EXPECT_THAT(
        report.results[1].failures,
        testing::Contains("expect names rule 'larg', which the rule file does not have: did you mean 'large'?"));
}

// As the daemon does: the history of requesters is of texts as the service writes them.
TEST(RuleTests, compare_requesters_as_written) {
    const auto rules = parse_rules(
        "version: 1\napprover_id: 7\nrules:\n  - {name: one, when: {requester_count: {over: 30d, lte: 1}}, approve: "
        "{}}\n",
        "r.yaml");
    const auto tests =
        parse_rule_tests(head +
                             "  - {name: a, draw: {requestedBy: ann@x.gov}, history: [{requestedBy: \"ann@x.gov\"}], "
                             "expect: {outcome: hold}}\n"
                             "  - {name: b, draw: {requestedBy: ann@x.gov}, history: [{requestedBy: \"ann@x.gov \"}], "
                             "expect: {outcome: approve}}\n",
                         "t.yaml");
    ASSERT_TRUE(tests) << to_string(tests.error());
    EXPECT_EQ(run_rule_tests(*tests, *rules).failed(), 0U);
}

TEST(RuleTests, default_to_the_draw_of_the_file) {
    const auto tests = parse_rule_tests(
        "version: 1\nnow: 2026-03-04\ndraw: {workflowId: 12, fieldA: x, fieldB: y}\ntests:\n"
        "  - {name: a, draws: [{fieldA: null}, {fieldB: '', workflowId: 13, requestedDate: 2026-03-01}], "
        "expect: {outcome: hold}}\n",
        "t.yaml");
    ASSERT_TRUE(tests.has_value()) << to_string(tests.error());
    const auto& draws = tests->tests[0].draws;
    ASSERT_EQ(draws.size(), 2U);
    EXPECT_EQ(draws[0].workflow_id, 12);
    EXPECT_EQ(draws[0].field_a, std::nullopt);
    EXPECT_EQ(draws[0].field_b, "y");
    EXPECT_EQ(draws[0].status, DrawStatus::pending_approval);
    EXPECT_EQ(draws[0].requested_date, parse_instant("2026-03-04").value());
    EXPECT_EQ(draws[1].workflow_id, 13);
    EXPECT_EQ(draws[1].field_b, "");
    EXPECT_EQ(draws[1].requested_date, parse_instant("2026-03-01").value());
}

TEST(RuleTests, can_set_every_field_of_a_draw) {
    for (const DrawField& field : draw_fields()) {
        const char* value = "7";
        if (field.kind == FieldKind::instant) value = "2020-01-02";
        const auto tests = parse_rule_tests(
            head + "  - {name: a, draw: {" + std::string(field.name) + ": " + value + "}, expect: {outcome: hold}}\n",
            "t.yaml");
        ASSERT_TRUE(tests.has_value()) << to_string(tests.error());
        const std::string shown = display(field.get(tests->tests[0].draws[0]));
        EXPECT_TRUE(shown == "7" || shown == "7.00" || shown == "2020-01-02T00:00:00.000Z") << field.name << shown;
    }
}

TEST(RuleTestFile, has_each_draw_once) {
    const std::string test = "  - {name: a, draw: {caseId: 17}, expect: {outcome: hold}, history: ";
    EXPECT_EQ(report(head + test + "[{id: 1, caseId: 17}]}\n"),
              "t.yaml:4:70: the test has draw 1 twice: give each draw of the history its own id, or none; the test's "
              "first draw has 1\n");
    EXPECT_THAT(report(head + test + "[{id: 5}, {id: 5}]}\n"), testing::HasSubstr("the test has draw 5 twice"));
    EXPECT_EQ(report(head + test + "[{}, {}, {id: 5}]}\n"), "valid\n");
    EXPECT_EQ(report(head + "  - {name: a, draw: {fieldB: '  '}, expect: {outcome: hold}}\n"), "valid\n");
}

TEST(RuleTestFile, reports_mistakes) {
    const std::string test = "{name: a, draw: {}, expect: {outcome: hold}}";
    const struct {
        std::string text;
        std::string report;
    } cases[] = {
        {"",
         "t.yaml:1:1: the test file must be a map of keys, not nothing: its keys are version, rules, timezone, "
         "payee_key, "
         "now, draw, tests\n"},
        {"version: 1\ntests: []\n",
         "t.yaml:2:8: there are no tests: write at least one under 'tests:', each beginning with '- name:'\n"},
        {"version: 1\n", "t.yaml:1:1: missing key 'tests' in the test file: add 'tests:'\n"},
        {"version: 2\nnow: 2026-03-04\ntests: [" + test + "]\n", "t.yaml:1:10: version is 2: it must be from 1 to 1\n"},
        {"version: 1\ntests: [" + test + "]\n",
         "t.yaml:2:9: the test has no decision time: add 'now:' at the top of the file or to the test, like "
         "2026-03-04T15:00:00, in UTC\n"},
        {"version: 1\nnow: soon\ntests: [" + test + "]\n",
         "t.yaml:2:6: now: 'soon' is not a valid date or date-time: write it like 2026-03-04 or "
         "2026-03-04T05:06:07, in UTC\n"},
        {head + "  - {nam: a, draw: {}, expect: {outcome: hold}}\n",
         "t.yaml:4:5: missing key 'name' in a test: add 'name:'\n"
         "t.yaml:4:6: unknown key 'nam' in a test: did you mean 'name'?\n"},
        {head + "  - " + test + "\n  - " + test + "\n",
         "t.yaml:5:12: duplicate test name 'a': give each test its own name\n"},
        {head + "  - {name: a, expect: {outcome: hold}}\n",
         "t.yaml:4:5: a test has no draw: add 'draw:' with the fields that matter, or 'draws:' with several\n"},
        {head + "  - {name: a, draw: {}, draws: [{}], expect: {outcome: hold}}\n",
         "t.yaml:4:32: a test has both 'draw' and 'draws': keep one of them\n"},
        {head + "  - {name: a, draws: [], expect: {outcome: hold}}\n",
         "t.yaml:4:22: 'draws' must be a list of at least one draw: write it like [{id: 1}, {id: 2}]\n"},
        {head + "  - {name: a, draw: {workflowid: 3, id: null, amountRequested: 1.234}, expect: {outcome: hold}}\n",
         "t.yaml:4:22: unknown key 'workflowid' in a draw: did you mean 'workflowId'?\n"
         "t.yaml:4:41: id is never null: write a value, or leave the field out\n"
         "t.yaml:4:64: amountRequested: '1.234' is not an amount in dollars and cents: it has more than two decimal "
         "places\n"},
        {head + "  - {name: a, draw: {}}\n", "t.yaml:4:5: missing key 'expect' in a test: add 'expect:'\n"},
        {head + "  - {name: a, draw: {}, expect: hold}\n",
         "t.yaml:4:33: 'expect' must be a map of keys, not 'hold': its keys are outcome, rule, reason, notes, "
         "approver_id\n"},
        {head + "  - {name: a, draw: {}, expect: {outcome: held}}\n",
         "t.yaml:4:43: outcome is 'held': it must be approve or hold\n"},
        {head + "  - {name: a, draw: {}, expect: {outcome: approve, rule: null}}\n",
         "t.yaml:4:58: only a rule can approve: name the rule\n"},
    };
    for (const auto& c : cases)
        EXPECT_EQ(report(c.text), c.report) << c.text;
    EXPECT_THAT(report("version: 1\ntimezone: Mars/Olympus\nnow: 2026-03-04\ntests: [" + test + "]\n"),
                testing::StartsWith("t.yaml:2:11: timezone: 'Mars/Olympus' is not a time zone on this system: write it "
                                    "like America/New_York\n"));
}

TEST(Junit, names_every_test_and_escapes_what_xml_reserves) {
    const RuleTestReport report{{{"good & \"new\"", 4, 5, {}}, {"bad <1>", 9, 5, {"draw 1: no\x01", "draw 2: no"}}},
                                {}};
    EXPECT_EQ(junit_xml(report, "t.yaml"),
              "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
              "<testsuites>\n"
              "  <testsuite name=\"t.yaml\" tests=\"2\" failures=\"1\">\n"
              "    <testcase name=\"good &amp; &quot;new&quot;\" classname=\"rules\" file=\"t.yaml\" line=\"4\"/>\n"
              "    <testcase name=\"bad &lt;1&gt;\" classname=\"rules\" file=\"t.yaml\" line=\"9\">\n"
              "      <failure message=\"draw 1: no?\"/>\n"
              "      <failure message=\"draw 2: no\"/>\n"
              "    </testcase>\n"
              "  </testsuite>\n"
              "</testsuites>\n");
}

}  // namespace
}  // namespace drawbridge::rules
