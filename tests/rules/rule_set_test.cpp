#include "drawbridge/rules/rule_set.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <expected>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "drawbridge/domain/digest.hpp"

namespace drawbridge::rules {
namespace {

std::string report(std::string_view text) {
    const auto set = parse_rules(text, "r.yaml");
    return set ? "valid\n" + to_string(set->warnings) : to_string(set.error());
}

// The warning about a rule 'a' on this line that approves everything.
std::string valid_and_for_all(int line) {
    return "valid\nr.yaml:" + std::to_string(line) +
           ":5: warning: rule 'a' approves every draw that reaches it, of any amount: add amountRequested: {lte: "
           "...}, or a limit with an amount\n";
}

// A file with one holding rule with `when` as its conditions, which are on line 5 from column 11.
std::string with_condition(std::string_view when) {
    return "version: 1\napprover_id: 7\nrules:\n  - name: a\n    when: " + std::string(when) + "\n    hold: look\n";
}

// The same with `approve` as given, on line 6 from column 14.
std::string with_approval(std::string_view approve) {
    return "version: 1\napprover_id: 7\nrules:\n  - name: a\n    when: always\n    approve: " + std::string(approve) +
           "\n";
}

struct Case {
    std::string text;
    std::string report;
};

void expect_reports(const std::vector<Case>& cases) {
    for (const Case& c : cases)
        EXPECT_EQ(report(c.text), c.report) << c.text;
}

TEST(RuleFile, reports_mistakes_in_structure) {
    expect_reports(
        {{"",
          "r.yaml:1:1: the rule file must be a map of keys, not nothing: its keys are version, approver_id, "
          "case_sensitive, limits, rules\n"},
         {"version: 1\nrules: [\n",
          "r.yaml:3:1: not valid YAML: end of sequence flow not found: check the indentation, quotes and brackets "
          "here\n"},
         {"{}",
          "r.yaml:1:1: missing key 'version' in the rule file: add 'version:'\n"
          "r.yaml:1:1: missing key 'rules' in the rule file: add 'rules:'\n"},
         {"version: 2\nrules: []\n",
          "r.yaml:1:10: version is 2: this program reads version 1\n"
          "r.yaml:2:8: warning: there are no rules: every draw will be held\n"},
         {"version: 1\nrules: []\n", "valid\nr.yaml:2:8: warning: there are no rules: every draw will be held\n"},
         {"version: 1\nrules: {}\n", "r.yaml:2:8: 'rules' must be a list: begin each rule with '- name:'\n"},
         {"version: 1\nrule: []\nrules: []\nversion: 1\n",
          "r.yaml:2:1: unknown key 'rule' in the rule file: did you mean 'rules'?\n"
          "r.yaml:3:8: warning: there are no rules: every draw will be held\n"
          "r.yaml:4:1: duplicate key 'version' in the rule file, first on line 1: keep one of them\n"},
         {"version: 1\ncase_sensitive: yes\nrules: []\n",
          "r.yaml:2:17: case_sensitive must be true or false, not 'yes': write true or false, without quotes\n"
          "r.yaml:3:8: warning: there are no rules: every draw will be held\n"},
         {"version: 1\nrules: [one]\n",
          "r.yaml:2:9: a rule must be a map of keys, not 'one': its keys are name, enabled, mode, effective, when, "
          "approve, hold, limits\n"},
         {"version: 1\nrules:\n  - {}\n",
          "r.yaml:3:5: missing key 'name' in a rule: add 'name:'\n"
          "r.yaml:3:5: this rule has no 'when': name the draws that it applies to; 'when: always' matches every draw\n"
          "r.yaml:3:5: this rule has no outcome: add 'approve: {}' or 'hold: the reason'\n"},
         {"version: 1\nrules:\n  - {name: a, when: always, aprove: {}}\n",
          "r.yaml:3:5: rule 'a' has no outcome: add 'approve: {}' or 'hold: the reason'\n"
          "r.yaml:3:29: unknown key 'aprove' in a rule: did you mean 'approve'?\n"},
         {"version: 1\napprover_id: 7\nrules:\n  - {name: a, when: always, approve: {}, hold: why}\n",
          "r.yaml:4:48: rule 'a' both approves and holds: keep one of 'approve' and 'hold'\n"},
         {"version: 1\nrules:\n  - {name: a, when: {status: 3}, hold: x}\n  - {name: a, when: always, hold: y}\n",
          "r.yaml:4:12: duplicate rule name 'a', first on line 3: give each rule its own name: decisions are "
          "recorded under it\n"},
         {"version: 1\nrules:\n  - {name: \"a\\nb\", when: always, hold: x}\n",
          "r.yaml:3:12: the rule's name must be one line without spaces around it: remove line breaks, tabs and outer "
          "spaces\n"},
         {"version: 1\nrules:\n  - {name: \"a\\u200b\", when: always, hold: x}\n",
          "r.yaml:3:12: the rule's name has a character that shows nothing, or an unusual space: write it with visible "
          "characters and single spaces: names that look alike are mixed up\n"},
         {"version: 1\nrules:\n  - {name: a, when: always, hold: }\n",
          "r.yaml:3:29: the reason to hold must be text, not nothing\n"},
         {"version: 1\nrules:\n  - {name: a, when: always, hold: x}\n  - {name: b, when: {id: 1}, hold: y}\n",
          "valid\nr.yaml:4:5: warning: rule 'b' is never reached: rule 'a' on line 3 decides every draw that it "
          "would match: move it up or remove it\n"}});
}

TEST(RuleFile, reports_mistakes_in_conditions) {
    expect_reports(
        {{with_condition(""),
          "r.yaml:5:5: 'when' must be a map of draw fields: write it like {amountRequested: {lte: 2500.00}}, or "
          "'always' to match every draw\n"},
         {with_condition("allways"),
          "r.yaml:5:11: 'when' must be a map of draw fields: write it like {amountRequested: {lte: 2500.00}}, or "
          "'always' to match every draw\n"},
         {with_condition("{}"), "r.yaml:5:11: 'when' has no condition: write 'always' if every draw is meant\n"},
         {with_condition("{description: {matches: \"\\brent\\b\"}}"),
          "r.yaml:5:35: an escape in double quotes makes a control character (\\b is a backspace): write a regular "
          "expression in single quotes\n"},
         {with_condition("{amountrequested: {lte: 5}}"),
          "r.yaml:5:12: unknown key 'amountrequested' in 'when': did you mean 'amountRequested'?\n"},
         {with_condition("{status: 3, status: 4}"),
          "r.yaml:5:23: duplicate key 'status' in 'when', first on line 5: keep one of them\n"},
         {with_condition("{amountRequested: {lt: 5, lt: 6}}"),
          "r.yaml:5:37: duplicate key 'lt' in the condition on amountRequested, first on line 5: keep one of "
          "them\n"},
         {with_condition("{description: {contain: x}}"),
          "r.yaml:5:26: unknown key 'contain' in the condition on description: did you mean 'contains'?\n"},
         {with_condition("{description: {gt: 5}}"),
          "r.yaml:5:26: description is text: 'gt' does not apply to it: use eq, in, contains, startsWith, endsWith, "
          "matches, not, is\n"},
         {with_condition("{amountRequested: {contains: 5}}"),
          "r.yaml:5:30: amountRequested is an amount: 'contains' does not apply to it: use eq, in, gt, gte, lt, lte, "
          "not, is\n"},
         {with_condition("{workflowId: {startsWith: 1}}"),
          "r.yaml:5:25: workflowId is a whole number: 'startsWith' does not apply to it: use eq, in, gt, gte, lt, lte, "
          "not, is\n"},
         {with_condition("{requestedDate: {endsWith: 1}}"),
          "r.yaml:5:28: requestedDate is a date: 'endsWith' does not apply to it: use eq, in, gt, gte, lt, lte, "
          "older_than, newer_than, not, is\n"},
         {with_condition("{amountRequested: {lte: 2500.001}}"),
          "r.yaml:5:35: amountRequested.lte: '2500.001' is not an amount in dollars and cents: it has more than two "
          "decimal places\n"},
         {with_condition("{amountRequested: {lte: \"2500\"}}"),
          "r.yaml:5:35: amountRequested.lte must be an amount, not the quoted text '2500': write it like 2500.00, "
          "without quotes\n"},
         {with_condition("{workflowId: twelve}"),
          "r.yaml:5:24: workflowId.eq must be a whole number, not 'twelve': write it in digits, without quotes, "
          "separators or leading zeros\n"},
         {with_condition("{requestedDate: {gte: 2026-02-30}}"),
          "r.yaml:5:33: requestedDate.gte: '2026-02-30' is not a valid date or date-time: write it like "
          "2026-03-04 or 2026-03-04T05:06:07, in UTC\n"},
         {with_condition("{requestedDate: 2026-03-04}"),
          "valid\nr.yaml:5:27: warning: requestedDate.eq matches midnight UTC only: for the whole day write {gte: DAY, "
          "lt: NEXT_DAY}\n"},
         {with_condition("{workflowId: [12]}"),
          "r.yaml:5:24: workflowId cannot equal a list: write {in: [...]} for one of several values\n"},
         {with_condition("{workflowId: {in: 12}}"),
          "r.yaml:5:29: workflowId.in must be a list: write it like [one, two], or drop 'in' for a single value\n"},
         {with_condition("{workflowId: {in: []}}"),
          "r.yaml:5:29: workflowId.in is an empty list, which matches nothing: list at least one value\n"},
         {with_condition("{workflowId: {in: [1, x, null]}}"),
          "r.yaml:5:33: each of workflowId.in must be a whole number, not 'x': write it in digits, without quotes, "
          "separators or leading zeros\n"
          "r.yaml:5:36: each of workflowId.in has no value to compare with: null never matches a comparison; write "
          "{is: null} to test for it\n"},
         {with_condition("{workflowId: {}}"),
          "r.yaml:5:24: workflowId has no operator: use eq, in, gt, gte, lt, lte, not, is\n"},
         {with_condition("{fieldB: null}"),
          "r.yaml:5:20: fieldB has no value to compare with: write {is: null} to test for null\n"},
         {with_condition("{fieldB: {eq: null}}"),
          "r.yaml:5:25: fieldB.eq has no value to compare with: null never matches a comparison; write {is: null} to "
          "test for it\n"},
         {with_condition("{fieldB: {is: nothing}}"),
          "r.yaml:5:25: fieldB.is must be null or not null: to compare with a value, write the value without 'is'\n"},
         {with_condition("{requestedBy: {is: null}}"),
          "valid\n"
          "r.yaml:4:5: warning: rule 'a' can never match: no draw satisfies its conditions on requestedBy: correct "
          "them "
          "or remove the rule\n"
          "r.yaml:5:30: warning: requestedBy is never null: this condition is never true\n"},
         {with_condition("{description: {contains: ''}}"),
          "r.yaml:5:36: description.contains is empty: write some text here\n"},
         {with_condition("{description: ''}"), "valid\n"},
         {with_condition("{fieldA: 0012}"), "valid\n"}});
}

// A file with one rule with `use` as its keys, on line 3 from column 15.
std::string with_use(std::string_view use) {
    return "version: 1\nrules:\n  - {name: a, " + std::string(use) + ", when: {id: 1}, hold: x}\n";
}

TEST(RuleFile, reports_mistakes_in_how_a_rule_is_used) {
    expect_reports({{with_use("enabled: no"),
                     "r.yaml:3:24: enabled must be true or false, not 'no': write true or false, without quotes\n"},
                    {with_use("mode: shade"),
                     "r.yaml:3:21: mode must be active or shadow: 'shadow' records what the rule would decide; the "
                     "next rules still decide\n"},
                    {with_use("mode: [shadow]"),
                     "r.yaml:3:21: mode must be active or shadow: 'shadow' records what the rule would decide; the "
                     "next rules still decide\n"},
                    {with_use("effective: 2026-01-01"),
                     "r.yaml:3:26: 'effective' must be a map of keys, not '2026-01-01': its keys are from, to\n"},
                    {with_use("effective: {}"),
                     "r.yaml:3:26: 'effective' has no date: write it like {from: 2026-01-01, to: 2026-12-31}\n"},
                    {with_use("effective: {until: 2026-01-01}"),
                     "r.yaml:3:27: unknown key 'until' in 'effective': the keys here are from, to\n"},
                    {with_use("effective: {from: 2026-02-30}"),
                     "r.yaml:3:33: effective.from must be a valid date: write it like 2026-03-04\n"},
                    {with_use("effective: {to: [2026-02-03]}"),
                     "r.yaml:3:31: effective.to must be a valid date: write it like 2026-03-04\n"},
                    {with_use("effective: {from: 2026-03-02, to: 2026-03-01}"),
                     "r.yaml:3:26: 'effective' ends before it begins: swap from and to; both days are included\n"},
                    {with_use("effective: {from: 2026-03-02, to: 2026-03-02}"), "valid\n"}});
}

TEST(RuleFile, reports_mistakes_in_patterns) {
    expect_reports(
        {{with_condition("{description: {matches: 'a(b'}}"),
          "r.yaml:5:35: description.matches: 'a(b' is not a regular expression: missing ): a(b: use RE2 syntax, in "
          "single quotes; \\ before a character makes it literal\n"},
         {with_condition("{description: {matches: '(a)\\1'}}"),
          "r.yaml:5:35: description.matches: '(a)\\1' is not a regular expression: invalid escape sequence: \\1: use "
          "RE2 syntax, in single quotes; \\ before a character makes it literal\n"},
         {with_condition("{description: {matches: '(?=x)'}}"),
          "r.yaml:5:35: description.matches: '(?=x)' is not a regular expression: invalid perl operator: (?=: use RE2 "
          "syntax, in single quotes; \\ before a character makes it literal\n"},
         {with_condition("{description: {matches: ''}}"),
          "r.yaml:5:35: description.matches is empty: write some text here\n"},
         {with_condition("{description: {matches: [a]}}"),
          "r.yaml:5:35: description.matches must be text, not a list\n"},
         {with_condition("{amountRequested: {matches: '1'}}"),
          "r.yaml:5:30: amountRequested is an amount: 'matches' does not apply to it: use eq, in, gt, gte, lt, lte, "
          "not, "
          "is\n"}});
}

TEST(RuleFile, reports_mistakes_in_relative_dates) {
    expect_reports(
        {{with_condition("{requestedDate: {older_than: 3}}"),
          "r.yaml:5:40: requestedDate.older_than must be a duration, not '3': write it like 500ms, 30s, 5m, 24h "
          "or 3d\n"},
         {with_condition("{requestedDate: {newer_than: 2026-03-04}}"),
          "r.yaml:5:40: requestedDate.newer_than must be a duration, not '2026-03-04': write it like 500ms, 30s, "
          "5m, 24h or 3d\n"},
         {with_condition("{requestedDate: {older_than: 0d}}"),
          "r.yaml:5:40: requestedDate.older_than is 0d: it must be longer than 0s and at most 36500d\n"},
         {with_condition("{requestedDate: {older_than: 36501d}}"),
          "r.yaml:5:40: requestedDate.older_than is 36501d: it must be longer than 0s and at most 36500d\n"},
         {with_condition("{amountRequested: {older_than: 3d}}"),
          "r.yaml:5:30: amountRequested is an amount: 'older_than' does not apply to it: use eq, in, gt, gte, lt, lte, "
          "not, is\n"}});
}

TEST(RuleFile, reports_mistakes_in_comparisons_of_fields) {
    expect_reports(
        {{with_condition("{amountApproved: {lte: {field: amountrequested}}}"),
          "r.yaml:5:42: amountApproved.lte: a draw has no field 'amountrequested': did you mean 'amountRequested'?\n"},
         {with_condition("{amountApproved: {lte: {field: money}}}"),
          "r.yaml:5:42: amountApproved.lte: a draw has no field 'money': name one of amountRequested, "
          "amountDisbursed\n"},
         {with_condition("{amountApproved: {lte: {field: workflowId}}}"),
          "r.yaml:5:42: amountApproved is an amount and workflowId a whole number: they cannot be compared: name one "
          "of "
          "amountRequested, amountDisbursed\n"},
         {with_condition("{amountApproved: {lte: {field: amountApproved}}}"),
          "r.yaml:5:42: amountApproved.lte compares amountApproved with itself: name one of amountRequested, "
          "amountDisbursed\n"},
         {with_condition("{amountApproved: {lte: {fields: amountRequested}}}"),
          "r.yaml:5:34: missing key 'field' in amountApproved.lte: add 'field:'\n"
          "r.yaml:5:35: unknown key 'fields' in amountApproved.lte: did you mean 'field'?\n"},
         {with_condition("{amountApproved: {field: amountRequested}}"),
          "r.yaml:5:29: unknown key 'field' in the condition on amountApproved: the keys here are eq, in, gt, gte, lt, "
          "lte, contains, startsWith, endsWith, matches, older_than, newer_than, not, is\n"},
         {with_condition("{requestedBy: {contains: {field: fieldA}}}"),
          "r.yaml:5:36: requestedBy.contains must be text, not a map\n"}});
}

TEST(RuleFile, reports_mistakes_in_combinations) {
    std::string deep = "{workflowId: 1}";
    for (int i = 0; i < 21; ++i)
        deep = "{unless: " + deep + "}";
    expect_reports(
        {{with_condition("{any: {workflowId: 12}}"),
          "r.yaml:5:17: 'any' must be a list of at least one map of conditions: write it like [{workflowId: 12}, "
          "{amountRequested: {lte: 50}}]\n"},
         {with_condition("{all: []}"),
          "r.yaml:5:17: 'all' must be a list of at least one map of conditions: write it like [{workflowId: 12}, "
          "{amountRequested: {lte: 50}}]\n"},
         {with_condition("{any: [{}, 3]}"),
          "r.yaml:5:18: each of 'any' must be a map of at least one condition: write it like {workflowId: 12}\n"
          "r.yaml:5:22: each of 'any' must be a map of at least one condition: write it like {workflowId: 12}\n"},
         {with_condition("{any: [{workflowid: 3}, {}]}"),
          "r.yaml:5:19: unknown key 'workflowid' in each of 'any': did you mean 'workflowId'?\n"
          "r.yaml:5:35: each of 'any' must be a map of at least one condition: write it like {workflowId: 12}\n"},
         {with_condition("{unless: always}"),
          "r.yaml:5:20: 'unless' must be a map of at least one condition: write it like {workflowId: 12}\n"},
         {with_condition("{unles: {workflowId: 3}}"),
          "r.yaml:5:12: unknown key 'unles' in 'when': did you mean 'unless'?\n"},
         {with_condition("{workflowId: {not: [1, 2]}}"),
          "r.yaml:5:30: workflowId.not cannot equal a list: write {not: {in: [...]}} to exclude several values\n"},
         {with_condition("{fieldA: {not: null}}"),
          "r.yaml:5:26: fieldA.not has no value to compare with: write {is: not null} to exclude null\n"},
         {with_condition("{fieldA: {not: {}}}"),
          "r.yaml:5:26: fieldA has no operator: use eq, in, contains, startsWith, endsWith, matches, not, is\n"},
         {with_condition("{fieldA: {not: {gt: 3}}}"),
          "r.yaml:5:27: fieldA is text: 'gt' does not apply to it: use eq, in, contains, startsWith, endsWith, "
          "matches, "
          "not, is\n"},
         {with_condition(deep),
          "r.yaml:5:200: conditions are nested deeper than 20 times: split them into more rules\n"}});
}

TEST(RuleFile, reports_mistakes_in_conditions_on_the_history) {
    expect_reports(
        {{with_condition("{case_total: {over: 30d, lte: 7500.00}}"), "valid\n"},
         {with_condition("{duplicate_within: 14d}"), "valid\n"},
         {with_condition("{unless: {duplicate_within: 14d}}"), "valid\n"},
         {with_condition("{payee_count: {over: 24h, gt: 1, lte: 3}}"), "valid\n"},
         {with_condition("{case_totals: {over: 30d, lte: 1}}"),
          "r.yaml:5:12: unknown key 'case_totals' in 'when': did you mean 'case_total'?\n"},
         {with_condition("{case_total: 7500.00}"),
          "r.yaml:5:24: case_total needs a window and a comparison: write it like case_total: {over: 30d, lte: "
          "7500.00}\n"},
         {with_condition("{case_total: {lte: 7500.00}}"),
          "r.yaml:5:24: missing key 'over' in 'case_total': add 'over:'\n"},
         {with_condition("{case_count: {over: 30d}}"),
          "r.yaml:5:24: case_count has no comparison: write it like case_count: {over: 30d, lte: 3}\n"},
         {with_condition("{case_total: {over: 0s, lte: 1}}"),
          "r.yaml:5:31: case_total.over is 0s: it must be longer than 0s and at most 3653d\n"},
         {with_condition("{case_total: {over: 30d, lte: 1.005}}"),
          "r.yaml:5:41: case_total.lte: '1.005' is not an amount in dollars and cents: it has more than two decimal "
          "places\n"},
         {with_condition("{case_count: {over: 30d, lte: 1.5}}"),
          "r.yaml:5:41: case_count.lte must be a whole number, not '1.5': write it in digits, without quotes, "
          "separators or leading zeros\n"},
         {with_condition("{case_count: {over: 30d, within: 3}}"),
          "r.yaml:5:24: case_count has no comparison: write it like case_count: {over: 30d, lte: 3}\n"
          "r.yaml:5:36: unknown key 'within' in 'case_count': the keys here are over, eq, gt, gte, lt, lte\n"},
         {with_condition("{duplicate_within: 6m}"),
          "r.yaml:5:30: duplicate_within is 6m, which is minutes or seconds: write hours or days, like 180d; there is "
          "no unit for months\n"},
         {with_condition("{case_total: {over: 12m, lte: 5000}}"),
          "r.yaml:5:31: case_total.over is 12m, which is minutes or seconds: write hours or days, like 180d; there is "
          "no unit for months\n"},
         {with_condition("{amountRequested: {lte: 1e5}}"),
          "r.yaml:5:35: amountRequested.lte: '1e5' is not an amount: write it like 2500.00\n"},
         {with_condition("{amountRequested: {lte: 0100}}"),
          "r.yaml:5:35: amountRequested.lte: '0100' is not an amount: write it like 2500.00\n"},
         {with_condition("{duplicate_within: often}"),
          "r.yaml:5:30: duplicate_within must be a duration, not 'often': write it like 500ms, 30s, 5m, 24h or "
          "3d\n"}});
}

// A file with one limit, on line 2 from column 10.
std::string with_limit(std::string_view limit) {
    return "version: 1\nlimits: [" + std::string(limit) + "]\nrules: [{name: a, when: always, hold: x}]\n";
}

TEST(RuleFile, reports_mistakes_in_limits) {
    expect_reports(
        {{with_limit("{count: 10, amount: 500.00, per: week, by: requester}"), "valid\n"},
         {with_limit("{per: day}"),
          "r.yaml:2:10: a limit has neither count nor amount: add 'count:', 'amount:' or both\n"},
         {with_limit("{count: 3}"), "r.yaml:2:10: missing key 'per' in a limit: add 'per:'\n"},
         {with_limit("{count: 3, per: month}"), "r.yaml:2:26: per cannot be 'month': it is one of run, day, week\n"},
         {with_limit("{count: 3, per: day, by: payee}"),
          "r.yaml:2:35: by cannot be 'payee': it is one of case, workflow, requester\n"},
         {with_limit("{count: 3, per: day, by: cases}"), "r.yaml:2:35: by cannot be 'cases': did you mean 'case'?\n"},
         {with_limit("{amount: 10.001, per: day}"),
          "r.yaml:2:19: amount: '10.001' is not an amount in dollars and cents: it has more than two decimal places\n"},
         {with_limit("{count: -1, per: day}"), "r.yaml:2:18: count is -1: it must be from 0 to 2147483647\n"},
         {with_limit("{count: 0, per: day}"),
          "valid\nr.yaml:2:10: warning: this limit approves nothing: raise it, or set the rule to 'hold'\n"},
         {with_limit("{amount: 0.00, per: day}"),
          "valid\nr.yaml:2:10: warning: this limit approves nothing: raise it, or set the rule to 'hold'\n"},
         {with_limit("{count: 1, per: day}, {amount: 5, per: day}"),
          "valid\nr.yaml:2:32: warning: two limits per day have the same scope: both apply; keep the lower one\n"},
         {with_limit("{count: 5, per: week}, {count: 5, per: day}"),
          "valid\nr.yaml:2:33: warning: this daily limit is never reached before the weekly limit: lower it or remove "
          "it\n"},
         {with_limit("{count: 5, per: week}, {count: 4, per: day}, {amount: 9, per: day, by: case}"), "valid\n"},
         {"version: 1\nlimits: []\nrules: [{name: a, when: always, hold: x, limits: [{count: 1, per: day}]}]\n",
          "r.yaml:2:9: 'limits' must be a list of at least one limit: write it like [{amount: 10000.00, per: day}, "
          "{count: 2, per: week, by: case}]\n"
          "r.yaml:3:50: rule 'a' approves nothing, so 'limits' has no effect: remove 'limits'\n"}});
}

TEST(RuleFile, reports_mistakes_in_approvals) {
    expect_reports(
        {{with_approval(""), "r.yaml:6:5: 'approve' must be a map: write 'approve: {}' when it needs no keys\n"},
         {with_approval("yes"), "r.yaml:6:14: 'approve' must be a map: write 'approve: {}' when it needs no keys\n"},
         {with_approval("{note: x}"), "r.yaml:6:15: unknown key 'note' in 'approve': did you mean 'notes'?\n"},
         {with_approval("{approver_id: 0}"),
          "r.yaml:6:28: approver_id is 0: it must be from 1 to 9223372036854775807\n"},
         {"version: 1\nrules:\n  - {name: a, when: always, approve: {}}\n",
          "r.yaml:3:38: rule 'a' approves, but has no approver: add 'approver_id:' at the top of the file or "
          "inside 'approve'\n"},
         {"version: 1\nrules:\n  - {name: a, when: always, approve: {approver_id: 3}}\n", valid_and_for_all(3)},
         {"version: 1\nrules:\n  - {name: a, when: always, hold: no approver needed}\n", "valid\n"},
         // The approver is present but invalid: one error, not two.
         {"version: 1\napprover_id: bob\nrules:\n  - {name: a, when: always, approve: {}}\n",
          "r.yaml:2:14: approver_id must be a whole number, not 'bob': write it in digits, without quotes, "
          "separators or leading zeros\n"},
         {with_approval("{notes: 'by {rul}'}"),
          "r.yaml:6:22: notes: unknown placeholder '{rul}': did you mean '{rule}'?\n"},
         {with_approval("{notes: '{amount_of_money}'}"),
          "r.yaml:6:22: notes: unknown placeholder '{amount_of_money}': use {rule} or a field of the draw, like "
          "{amountRequested}\n"},
         {with_approval("{notes: 'by {rule'}"),
          "r.yaml:6:22: notes: a '{' without a '}': write {{ for a literal brace\n"},
         {with_approval("{notes: 'by rule}'}"),
          "r.yaml:6:22: notes: a '}' without a '{': write }} for a literal brace\n"},
         {with_approval("{notes: 'a {{brace}} and {requestedBy}'}"), valid_and_for_all(4)},
         {with_approval("{notify: finance@example.gov}"),
          "r.yaml:6:23: notify must be a list, not 'finance@example.gov': write it like [one, two]\n"},
         {with_approval("{notify: [finance@example.gov, finance, a@b, 'x y@z.org', 'a@b.c, d@e.f']}"),
          "r.yaml:6:45: notify: 'finance' is not an email address: write it like finance@example.gov\n"
          "r.yaml:6:54: notify: 'a@b' is not an email address: write it like finance@example.gov\n"
          "r.yaml:6:59: notify: 'x y@z.org' is not an email address: write it like finance@example.gov\n"
          "r.yaml:6:72: notify: 'a@b.c, d@e.f' is not an email address: write it like finance@example.gov\n"}});
}

TEST(ParseRules, finds_every_problem_in_one_run) {
    EXPECT_EQ(report("version: 1\n"
                     "rules:\n"
                     "  - name: first\n"
                     "    when: {amountRequested: {lte: 1.234}, workflowid: 3}\n"
                     "    approve: {notes: '{nobody}'}\n"
                     "  - name: second\n"
                     "    hold: [x]\n"),
              "r.yaml:4:35: amountRequested.lte: '1.234' is not an amount in dollars and cents: it has more than two "
              "decimal places\n"
              "r.yaml:4:43: unknown key 'workflowid' in 'when': did you mean 'workflowId'?\n"
              "r.yaml:5:14: rule 'first' approves, but has no approver: add 'approver_id:' at the top of the file "
              "or inside 'approve'\n"
              "r.yaml:5:22: notes: unknown placeholder '{nobody}': use {rule} or a field of the draw, like "
              "{amountRequested}\n"
              "r.yaml:6:5: rule 'second' has no 'when': name the draws that it applies to; 'when: always' matches "
              "every draw\n"
              "r.yaml:7:11: the reason to hold must be text, not a list\n");
}

TEST(ParseRules, returns_the_rules_in_order_with_text_and_hash) {
    const std::string text =
        "version: 1\n"
        "approver_id: 1201\n"
        "rules:\n"
        "  - name: small\n"
        "    when: {workflowId: {in: [12, 14]}, amountRequested: {gt: 0, lte: 2500.00}}\n"
        "    approve: {notify: [finance@example.gov]}\n"
        "  - name: own-approver\n"
        "    when: {fieldA: {is: not null}, amountRequested: {lte: 9}}\n"
        "    approve: {approver_id: 5}\n"
        "  - name: rest\n"
        "    when: always\n"
        "    hold: look at it\n";
    const auto set = parse_rules(text, "r.yaml");
    ASSERT_TRUE(set.has_value()) << to_string(set.error());
    EXPECT_EQ(set->version, 1);
    EXPECT_EQ(set->approver_id, 1201);
    EXPECT_FALSE(set->case_sensitive);
    EXPECT_EQ(set->text, text);
    EXPECT_EQ(set->sha256, sha256_hex(text));
    EXPECT_THAT(set->warnings, testing::IsEmpty());
    ASSERT_EQ(set->rules.size(), 3U);
    EXPECT_EQ(set->rules[0].line, 4);
    EXPECT_EQ(std::get<AllOf>(set->rules[0].when.node).parts.size(), 3U);
    EXPECT_EQ(std::get<Approve>(set->rules[0].outcome).approver_id, 1201);
    EXPECT_EQ(std::get<Approve>(set->rules[1].outcome).approver_id, 5);
    EXPECT_EQ(std::get<Hold>(set->rules[2].outcome).reason, "look at it");
    EXPECT_TRUE(std::get<AllOf>(set->rules[2].when.node).parts.empty());
}

std::expected<RuleSet, text::Diagnostics> shipped(const std::string& name) {
    std::ifstream file(std::string(DRAWBRIDGE_SOURCE_DIR "/config/") + name);
    std::ostringstream text;
    text << file.rdbuf();
    return parse_rules(text.str(), "rules.yaml");
}

// The package installs them where the daemon reads them: until the office writes its own, a person decides.
TEST(ParseRules, accepts_the_shipped_rules_which_hold_every_draw) {
    const auto set = shipped("rules.yaml");
    ASSERT_TRUE(set.has_value()) << to_string(set.error());
    EXPECT_EQ(to_string(set->warnings), "");
    ASSERT_EQ(set->rules.size(), 1U);
    EXPECT_EQ(std::get<Hold>(set->rules[0].outcome).reason, "no rules are written yet");
    EXPECT_TRUE(std::get<AllOf>(set->rules[0].when.node).parts.empty());
}

TEST(ParseRules, accepts_the_shipped_example) {
    const auto set = shipped("examples/rules.yaml");
    ASSERT_TRUE(set.has_value()) << to_string(set.error());
    EXPECT_EQ(to_string(set->warnings), "");
    EXPECT_EQ(set->rules.size(), 2U);
}

}  // namespace
}  // namespace drawbridge::rules
