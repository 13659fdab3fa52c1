#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "drawbridge/rules/rule_set.hpp"

namespace drawbridge::rules {
namespace {

// One rule for each `when` (or for each rule body), named a, b, c ... from line 2 on.
std::string lint_report(const std::vector<std::string>& rules, const std::string& top = "") {
    std::string text = "{version: 1, " + top + "rules: [\n";
    char name = 'a';
    for (const std::string& rule : rules) {
        const bool whole = rule.contains("when:");
        text += std::string("{name: ") + name++ + ", " + (whole ? rule : "when: " + rule) + ", hold: x},\n";
    }
    const auto set = parse_rules(text + "]}\n", "r");
    EXPECT_TRUE(set.has_value()) << to_string(set.error());
    return set ? to_string(set->warnings) : std::string();
}

std::string impossible(const std::string& field) {
    return "r:2:1: warning: rule 'a' can never match: no draw satisfies its conditions on " + field +
           ": correct them or remove the rule\n";
}

TEST(RuleLinter, warns_of_rules_that_can_never_match) {
    const struct {
        const char* when;
        const char* field;
    } cases[] = {
        {"{amountRequested: {gt: 10, lt: 10}}", "amountRequested"},
        {"{amountRequested: {gt: 10, lt: 10.01}}", "amountRequested"},
        {"{amountRequested: {lt: 0}}", "amountRequested"},
        {"{amountRequested: {gt: 5, in: [1, 5]}}", "amountRequested"},
        {"{amountRequested: {eq: 5, not: 5}}", "amountRequested"},
        {"{amountRequested: {gte: 1, is: null}}", "amountRequested"},
        {"{workflowId: {in: [12, 14], not: {in: [14, 12]}}}", "workflowId"},
        {"{workflowId: 9223372036854775807, unless: {workflowId: {gt: 9223372036854775806}}}", "workflowId"},
        {"{workflowId: {gt: 9223372036854775807}}", "workflowId"},
        {"{requestedDate: {gte: 2026-03-05, lt: 2026-03-04}}", "requestedDate"},
        {"{requestedDate: {older_than: 5d, newer_than: 3d}}", "requestedDate"},
        {"{requestedDate: {older_than: 3d, newer_than: 72h}}", "requestedDate"},
        {"{all: [{fieldA: x}, {fieldA: y}]}", "fieldA"},
        {"{fieldA: {in: [x, y], not: {in: [Y, X]}}}", "fieldA"},
        {"{fieldA: {eq: abc, contains: d}}", "fieldA"},
        {"{fieldA: {startsWith: ab, not: {startsWith: a}}}", "fieldA"},
        {"{fieldA: {startsWith: ab, not: {contains: B}}}", "fieldA"},
        {"{all: [{fieldA: {startsWith: ab}}, {fieldA: {startsWith: ac}}]}", "fieldA"},
        {"{all: [{fieldA: {endsWith: ba}}, {fieldA: {endsWith: ca}}]}", "fieldA"},
        {"{fieldA: {matches: 'a+', not: {matches: 'a+'}}}", "fieldA"},
        {"{fieldA: {is: null, not: {is: null}}}", "fieldA"},
        {"{amountApproved: {lt: {field: amountRequested}}, amountRequested: {lte: {field: amountApproved}}}",
         "amountRequested and amountApproved"},
        {"{amountApproved: {is: null, lte: {field: amountRequested}}}", "amountApproved"},
        {"{requestedBy: {eq: {field: modifiedBy}, not: {eq: {field: modifiedBy}}}}", "requestedBy and modifiedBy"},
        {"{any: [{workflowId: {gt: 1, lt: 2}}, {amountRequested: {lt: 0}}]}", "workflowId"},
        {"{case_total: {over: 30d, gt: 5, lte: 5}}", "case_total over 30d"},
        {"{payee_count: {over: 30d, lt: 1}}", "payee_count over 30d"},
        {"{duplicate_within: 3d, unless: {duplicate_within: 72h}}", "duplicate_within 3d"},
        {"{unless: {any: [{workflowId: {lte: 3}}, {workflowId: {gte: 4}}]}}", "workflowId"},
    };
    for (const auto& c : cases)
        EXPECT_EQ(lint_report({c.when}), impossible(c.field)) << c.when;
    EXPECT_EQ(lint_report({"{status: 4}"}),
              "r:2:1: warning: rule 'a' can never match: no draw satisfies its conditions on status: the rules see "
              "only draws with status 3 (Pending Approval)\n");
}

TEST(RuleLinter, accepts_rules_that_can_match) {
    for (const char* when :
         {"always",
          "{status: 3}",
          "{amountRequested: {gt: 10, lt: 10.02}}",
          "{amountRequested: {lte: 0}}",
          "{workflowId: {gt: 1, lt: 3}}",
          "{requestedDate: {older_than: 3d, newer_than: 5d}}",
          "{requestedDate: {newer_than: 1d, lt: 2020-01-01}}",
          "{fieldA: {eq: abc, contains: B}}",
          "{fieldA: {startsWith: ab, endsWith: ba}}",
          "{all: [{fieldA: {contains: x}}, {fieldA: {contains: y}}]}",
          "{all: [{fieldA: {startsWith: AB}}, {fieldA: {startsWith: abc}}]}",
          "{fieldA: {matches: a, not: {matches: b}}}",
          "{fieldA: {matches: a, not: a}}",
          "{fieldA: {eq: abc, matches: '^b'}}",
          "{fieldA: BLOCKED, all: [{fieldA: {not: {matches: '^BLOCKED$'}}}]}",  // "BLOCKED "
          "{all: [{fieldA: {startsWith: 'rent '}}, {fieldA: {startsWith: 'rent '}}]}",
          "{any: [{fieldA: {is: null}}, {fieldA: {not: x}}]}",
          "{amountApproved: {lte: {field: amountRequested}}, amountRequested: {lte: {field: amountApproved}}}",
          "{any: [{workflowId: {gt: 1, lt: 2}}, {workflowId: 5}]}",
          "{case_count: {over: 30d, gte: 1, lte: 1}}",
          "{case_total: {over: 30d, gt: 5}, all: [{case_total: {over: 31d, lte: 5}}]}",
          "{duplicate_within: 3d, unless: {duplicate_within: 2d}}",
          "{duplicate_within: 49h, unless: {duplicate_within: 48h}}"})
        EXPECT_EQ(lint_report({when}), "") << when;
    EXPECT_EQ(lint_report({"{all: [{fieldA: x}, {fieldA: X}]}"}), "");
    EXPECT_EQ(lint_report({"{all: [{fieldA: x}, {fieldA: X}]}"}, "case_sensitive: true, "), impossible("fieldA"));
    EXPECT_EQ(lint_report({"enabled: false, when: {workflowId: {gt: 1, lt: 2}}"}), "");
}

TEST(RuleLinter, warns_of_rules_that_approve_every_draw) {
    const auto warnings = [](const std::string& inside, const std::string& top = "") {
        const auto set =
            parse_rules("{version: 1, approver_id: 7, " + top + "rules: [\n{name: a, " + inside + "},\n]}\n", "r");
        EXPECT_TRUE(set.has_value()) << to_string(set.error());
        return set ? to_string(set->warnings) : std::string();
    };
    const std::string approves_all =
        "r:2:1: warning: rule 'a' approves every draw that reaches it, of any amount: add amountRequested: {lte: "
        "...}, or a limit with an amount\n";
    const std::string approves_any =
        "r:2:1: warning: rule 'a' approves draws of any amount: add amountRequested: {lte: ...}, or a limit with an "
        "amount\n";
    for (const char* when : {"always", "{status: 3}", "{any: [{id: {gt: 5}}, {id: {lte: 5}}]}", "{unless: {status: 4}}",
                             "{any: [{fieldA: x}, {status: 3}]}",
                             "{any: [{amountRequested: {is: null}}, {amountRequested: {is: not null}}, {status: 3}]}"})
        EXPECT_EQ(warnings("when: " + std::string(when) + ", approve: {}"), approves_all) << when;
    for (const char* when :
         {"{id: {gt: 5}}", "{amountRequested: {gte: 0}}",
          "{any: [{amountRequested: {gt: 5}}, {amountRequested: {lte: 5}}]}", "{any: [{id: {gt: 5}}, {id: {lt: 5}}]}",
          "{unless: {fieldA: x}}", "{unless: {amountRequested: {lt: 2500}}}"})
        EXPECT_EQ(warnings("when: " + std::string(when) + ", approve: {}"), approves_any) << when;
    for (const char* when :
         {"{amountRequested: {lte: 2500}}", "{amountRequested: 5}", "{amountRequested: {lte: {field: amountApproved}}}",
          "{case_total: {over: 30d, lte: 2500}}", "{any: [{amountRequested: {lt: 5}}, {amountRequested: {eq: 7}}]}"})
        EXPECT_EQ(warnings("when: " + std::string(when) + ", approve: {}"), "") << when;
    EXPECT_EQ(warnings("when: always, hold: look"), "");
    EXPECT_EQ(warnings("enabled: false, when: always, approve: {}"), "");
    EXPECT_EQ(warnings("mode: shadow, when: always, approve: {}"), "");
    EXPECT_EQ(warnings("when: always, approve: {}, limits: [{count: 10, per: day}]"), approves_any);
    EXPECT_EQ(warnings("when: always, approve: {}, limits: [{amount: 10, per: day}]"), "");
    EXPECT_EQ(warnings("when: always, approve: {}", "limits: [{amount: 10, per: day}], "), "");
    EXPECT_EQ(warnings("effective: {from: 2026-01-01}, when: always, approve: {}"), approves_all);
}

// Of a file with these rules.
std::string warnings_of(const std::string& rules) {
    const auto set = parse_rules("{version: 1, approver_id: 7, rules: [\n" + rules + "]}\n", "r");
    EXPECT_TRUE(set.has_value()) << to_string(set.error());
    return set ? to_string(set->warnings) : std::string();
}

TEST(RuleLinter, knows_that_large_amounts_are_held_before) {
    EXPECT_EQ(warnings_of("{name: large, when: {amountRequested: {gt: 25000}}, hold: look},\n"
                          "{name: rest, when: {workflowId: 12}, approve: {}}"),
              "");
    EXPECT_NE(warnings_of("{name: large, when: {amountRequested: {gt: 25000}, workflowId: 13}, hold: look},\n"
                          "{name: rest, when: {workflowId: 12}, approve: {}}"),
              "");
}

TEST(RuleLinter, warns_of_a_hold_below_the_approval_of_the_same_draws) {
    const std::string small = "{name: small, when: {amountRequested: {lte: 2500}}, approve: {}},\n";
    for (const char* when : {"{fieldB: blocked}", "{duplicate_within: 30d}", "{amountRequested: {gte: 2000}}",
                             "{any: [{fieldB: blocked}, {amountRequested: {gt: 2500}}]}"})
        EXPECT_EQ(
            warnings_of(small + "{name: late, when: " + when + ", hold: look}"),
            "r:3:1: warning: rule 'late' does not hold the draws that rule 'small' on line 2 approves: move it up "
            "if it must hold them, or exclude them in its 'when'\n")
            << when;
    for (const char* when : {"always", "{amountRequested: {gt: 2500}}", "{amountRequested: {gte: 0}}",
                             "{amountRequested: {gt: 2500}, fieldB: blocked}"})
        EXPECT_EQ(warnings_of(small + "{name: rest, when: " + when + ", hold: look}"), "") << when;
    EXPECT_EQ(warnings_of("{name: early, when: {fieldB: blocked}, hold: look},\n" + small), "");
}

TEST(RuleLinter, warns_of_conditions_that_read_like_others) {
    const auto report = [](const std::string& when) {
        return warnings_of("{name: a, when: " + when + ", hold: look}");
    };
    EXPECT_THAT(report("{unless: {fieldB: blocked, workflowId: 13}}"),
                ::testing::HasSubstr("'unless' excludes only the draws for which all its conditions are true"));
    EXPECT_EQ(report("{unless: {any: [{fieldB: blocked}, {workflowId: 13}]}}"), "");
    EXPECT_EQ(report("{unless: {all: [{fieldB: blocked}, {workflowId: 13}]}}"), "");
    EXPECT_THAT(report("{any: [{fieldB: blocked, workflowId: 13}]}"),
                ::testing::HasSubstr("'any' has a single alternative"));
    EXPECT_THAT(report("{description: {contains: “cash”}}"),
                ::testing::HasSubstr("the quotes “cash” are part of the text: write straight quotes"));
    EXPECT_THAT(
        warnings_of("{name: a, when: {amountRequested: {lte: 5}}, approve: {}, limits: [{count: 2, per: run}]}"),
        ::testing::HasSubstr("a run is one pass of decisions after each poll"));
}

// The second rule is never reached because of the first.
TEST(RuleLinter, warns_of_rules_that_an_earlier_one_covers) {
    const struct {
        const char* earlier;
        const char* later;
    } cases[] = {
        {"always", "{workflowId: 1}"},
        {"always", "always"},
        {"{status: 3}", "always"},
        {"{amountRequested: {lte: 2500}}", "{amountRequested: {gt: 0, lte: 2500.00}}"},
        {"{amountRequested: {lte: 2500}}", "{amountRequested: 2500, workflowId: 3}"},
        {"{amountRequested: {is: not null}}", "{amountRequested: {gte: 0}}"},
        {"{amountRequested: {gte: 0}}", "{amountRequested: {lte: {field: amountApproved}}}"},
        {"{amountRequested: {not: 5}}", "{amountRequested: {in: [4, 6]}}"},
        {"{workflowId: {in: [12, 14]}}", "{workflowId: 14}"},
        {"{workflowId: {in: [12, 13, 14]}}", "{workflowId: {gt: 11, lt: 15}}"},
        {"{any: [{workflowId: 1}, {workflowId: 2}]}", "{workflowId: 2}"},
        {"{any: [{workflowId: 1}, {workflowId: 2}]}", "{workflowId: {in: [1]}, fieldA: x}"},
        {"{workflowId: {lt: 5}}", "{any: [{workflowId: 1}, {workflowId: 2}]}"},
        {"{unless: {workflowId: 1}}", "{workflowId: {gt: 1}}"},
        {"{requestedDate: {older_than: 3d}}", "{requestedDate: {older_than: 4d}}"},
        {"{requestedDate: {gte: 2026-01-01}}", "{requestedDate: {gte: 2026-02-01}}"},
        {"{fieldA: {contains: util}}", "{fieldA: Utility}"},
        {"{fieldA: {contains: util}}", "{fieldA: {startsWith: utility}}"},
        {"{fieldA: {startsWith: util}}", "{fieldA: {startsWith: Utility}}"},
        {"{fieldA: {endsWith: y}}", "{fieldA: {endsWith: ity, contains: x}}"},
        {"{fieldA: {matches: 'x.y'}}", "{fieldA: {matches: 'x.y', contains: z}}"},
        {"{fieldA: {not: {contains: a}}}", "{fieldA: {in: [b, c]}}"},
        {"{case_total: {over: 30d, lte: 10}}", "{case_total: {over: 30d, lte: 5}, workflowId: 1}"},
        {"{duplicate_within: 3d}", "{duplicate_within: 3d, workflowId: 1}"},
        {"{fieldA: {not: ab}}", "{fieldA: {not: {contains: a}}}"},
        {"{fieldA: {not: {startsWith: b}}}", "{fieldA: {startsWith: a}}"},
        {"{amountApproved: {lte: {field: amountRequested}}}", "{amountRequested: {gt: {field: amountApproved}}}"},
        {"{amountApproved: {gt: {field: amountRequested}}}", "{amountRequested: {lt: {field: amountApproved}}}"},
        {"{amountApproved: {gte: {field: amountRequested}}}", "{amountRequested: {eq: {field: amountApproved}}}"},
        {"{amountApproved: {lt: {field: amountRequested}}}", "{amountRequested: {gt: {field: amountApproved}}}"},
        {"{amountApproved: {lte: {field: amountRequested}}}", "{amountRequested: {gte: {field: amountApproved}}}"},
        {"{fieldA: {is: null}}", "{fieldA: {is: null}, workflowId: 1}"},
        {"effective: {from: 2026-01-01}, when: always", "effective: {from: 2026-02-01, to: 2026-03-01}, when: always"},
        {"{workflowId: 1}", "mode: shadow, when: {workflowId: 1}"},
    };
    for (const auto& c : cases) {
        EXPECT_EQ(
            lint_report({c.earlier, c.later}),
            "r:3:1: warning: rule 'b' is never reached: rule 'a' on line 2 decides every draw that it would match: "
            "move it up or remove it\n")
            << c.earlier << " " << c.later;
    }
    EXPECT_EQ(
        lint_report({"{workflowId: 1}", "{workflowId: 2}", "{any: [{workflowId: 1}, {workflowId: 2}], fieldA: x}"}),
        "r:4:1: warning: rule 'c' is never reached: rule 'a' on line 2, rule 'b' on line 3 together decide every "
        "draw that it would match: move it up or remove it\n");
}

TEST(RuleLinter, accepts_rules_that_are_reached) {
    const struct {
        const char* earlier;
        const char* later;
    } cases[] = {
        {"{amountRequested: {gte: 0}}", "always"},  // null remains
        {"{amountRequested: {lte: 2500}}", "{amountRequested: {lte: 2500.01}}"},
        {"{amountRequested: {lte: 2500}, workflowId: 1}", "{amountRequested: 1}"},
        {"{fieldA: {contains: utility}}", "{fieldA: {contains: util}}"},
        {"{fieldA: {startsWith: a}}", "{fieldA: {contains: a}}"},
        {"{fieldA: {matches: 'x'}}", "{fieldA: {contains: xx}}"},  // true, but not provable
        {"{fieldA: {not: {contains: a}}}", "{fieldA: {not: ab}}"},
        {"{fieldA: {matches: '^rent$'}}", "{fieldA: rent}"},                   // "rent "
        {"{fieldA: {matches: '(?-i)rent'}}", "{fieldA: rent}"},                // "Rent"
        {"{fieldA: {contains: ' rent'}}", "{fieldA: {startsWith: ' rent'}}"},  // "rental"
        {"{fieldA: {contains: 'rent '}}", "{fieldA: {in: ['rent ', lease]}}"},
        {"{fieldA: {eq: rent, matches: '^rent$'}}", "{fieldA: rent}"},
        {"{fieldA: {not: x}}", "{fieldA: {is: null}}"},
        {"{unless: {fieldA: x}}", "{unless: {fieldB: x}}"},
        {"{requestedDate: {older_than: 3d}}", "{requestedDate: {older_than: 2d}}"},
        {"{amountApproved: {lt: {field: amountRequested}}}", "{amountApproved: {lte: {field: amountRequested}}}"},
        {"enabled: false, when: always", "always"},
        {"mode: shadow, when: always", "always"},
        {"effective: {to: 2026-01-01}, when: always", "always"},
        {"effective: {from: 2026-01-02}, when: always", "effective: {from: 2026-01-01}, when: always"},
        {"always", "enabled: false, when: {workflowId: 1}"},
    };
    for (const auto& c : cases)
        EXPECT_EQ(lint_report({c.earlier, c.later}), "") << c.earlier << " " << c.later;
}

TEST(RuleLinter, gives_up_on_too_many_alternatives) {
    std::string when = "{all: [";
    for (int i = 0; i < 30; ++i)
        when += "{any: [{fieldA: {contains: a" + std::to_string(i) + "}}, {fieldB: {contains: b}}, {workflowId: 1}]}, ";
    EXPECT_EQ(
        lint_report({when + "]}", "{workflowId: {gt: 1, lt: 2}}"}),
        "r:3:1: warning: rule 'b' can never match: no draw satisfies its conditions on workflowId: correct them or "
        "remove the rule\n");
}

}  // namespace
}  // namespace drawbridge::rules
