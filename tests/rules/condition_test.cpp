#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "rules/rules_fixture.hpp"

namespace drawbridge::rules {
namespace {

bool matches(const std::string& when, const std::string& top = "") {
    return decide(sample_draw(), ListedHistory(), rules_of(one_rule(when, top)), now, utc).outcome == Outcome::approve;
}

struct Case {
    const char* when;
    bool matches;
};

void expect_matches(const std::vector<Case>& cases) {
    for (const Case& c : cases)
        EXPECT_EQ(matches(c.when), c.matches) << c.when;
}

TEST(Condition, compares_text_as_people_see_it) {
    auto draw = sample_draw();
    draw.description = "\u00a0March\u2009util\u200bity b\u00adill\u3000";
    const auto outcome = [&](const std::string& when) {
        return decide(draw, ListedHistory(), rules_of(one_rule(when, "")), now, utc).outcome;
    };
    for (const char* when : {"{description: March utility bill}", "{description: March\u00a0utility bill}",
                             "{description: {contains: utility}}", "{description: {startsWith: 'March '}}",
                             "{description: {endsWith: bill}}", "{description: {matches: '^ March utility bill $'}}",
                             "{description: {in: [a, 'march utility bill']}}"})
        EXPECT_EQ(outcome(when), Outcome::approve) << when;
}

TEST(Condition, compares_amounts) {
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

TEST(Condition, compares_numbers) {
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

TEST(Condition, compares_dates) {
    expect_matches({{"{requestedDate: 2026-03-04T05:06:07}", true},
                    {"{requestedDate: 2026-03-04T05:06:07Z}", true},
                    {"{requestedDate: 2026-03-04T00:06:07-05:00}", true},
                    {"{requestedDate: 2026-03-04T05:06:08}", false},
                    {"{requestedDate: {gte: 2026-03-04, lt: 2026-03-05}}", true},
                    {"{requestedDate: {gt: 2026-03-05}}", false},
                    {"{requestedDate: {lte: 2026-03-04}}", false},
                    {"{requestedDate: {lt: '2026-03-04 05:06:08'}}", true}});
}

TEST(Condition, compares_texts) {
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
                    {"{fieldA: ' 0012 '}", true},
                    {"{description: {startsWith: ' march'}}", true},
                    {"{description: {startsWith: 'march '}}", true},
                    {"{description: {startsWith: 'mar '}}", false},
                    {"{description: {endsWith: ' bill'}}", true},
                    {"{description: {endsWith: 'bill '}}", true},
                    {"{description: {endsWith: ' ill'}}", false},
                    {"{fieldB: ''}", true},
                    {"{fieldA: ''}", false}});
}

TEST(Condition, matches_null_only_with_is) {
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

TEST(Condition, matches_regular_expressions) {
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

TEST(Condition, matches_in_time_linear_in_the_text) {
    Draw draw = sample_draw();
    draw.description = std::string(100'000, 'a');
    const RuleSet rules = rules_of(one_rule("{description: {matches: '^(a+)+(a|aa)*$b'}}"));
    EXPECT_EQ(decide(draw, ListedHistory(), rules, now, utc).outcome, Outcome::hold);
}

// The draw was requested on March 4 at 05:06:07 and is decided on March 5 at noon: 30:53:53 later.
TEST(Condition, compares_dates_with_the_time_of_the_decision) {
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

TEST(Condition, compares_fields_with_each_other) {
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
        const bool matched = set && decide(draw, ListedHistory(), *set, now, utc).outcome == Outcome::approve;
        EXPECT_EQ(matched, c.matches) << c.when;
    }
}

TEST(Condition, combines_with_any_all_and_unless) {
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

// fieldC and amountApproved are null: a comparison with them is unknown, and so is its negation.
TEST(Condition, is_unknown_with_null_even_when_negated) {
    expect_matches({{"{fieldC: {not: x}}", false},
                    {"{fieldC: {not: {contains: x}}}", false},
                    {"{fieldC: {not: {not: x}}}", false},
                    {"{unless: {fieldC: x}}", false},
                    {"{unless: {unless: {fieldC: x}}}", false},
                    {"{unless: {amountApproved: {gt: 5}}}", false},
                    {"{unless: {amountApproved: {lte: {field: amountRequested}}}}", false},
                    {"{unless: {approvedDate: {older_than: 3d}}}", false},
                    {"{unless: {fieldC: {matches: x}}}", false},
                    // A known part decides where it can.
                    {"{any: [{fieldC: x}, {workflowId: 12}]}", true},
                    {"{any: [{fieldC: x}, {workflowId: 1}]}", false},
                    {"{unless: {any: [{fieldC: x}, {workflowId: 1}]}}", false},
                    {"{unless: {fieldC: x, workflowId: 1}}", true},
                    {"{unless: {fieldC: x, workflowId: 12}}", false},
                    {"{any: [{fieldC: {is: null}}, {fieldC: {not: x}}]}", true}});
}

TEST(Condition, requires_every_part) {
    expect_matches({{"always", true},
                    {"{workflowId: 12, amountRequested: 2500}", true},
                    {"{workflowId: 12, amountRequested: 1}", false},
                    {"{workflowId: 1, amountRequested: 2500}", false}});
}

TEST(CaseSensitive, applies_to_every_text_comparison) {
    const std::string top = "case_sensitive: true\n";
    for (const char* when : {"{description: March utility bill}", "{description: {contains: utility}}",
                             "{description: {startsWith: Mar}}", "{description: {endsWith: bill}}"})
        EXPECT_TRUE(matches(when, top)) << when;
    for (const char* when : {"{description: march utility bill}", "{description: {contains: Utility}}",
                             "{description: {startsWith: mar}}", "{description: {endsWith: Bill}}"})
        EXPECT_FALSE(matches(when, top)) << when;
}

}  // namespace
}  // namespace drawbridge::rules
