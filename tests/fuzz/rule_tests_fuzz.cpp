// A file of rule tests, which then run against a rule set.
#include "drawbridge/rules/rule_tests.hpp"
#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    namespace fuzz = drawbridge::fuzz;
    namespace rules = drawbridge::rules;
    static const auto set = rules::parse_rules(
        "version: 1\napprover_id: 7\nrules:\n"
        "  - {name: small, when: {amountRequested: {lte: 500}}, approve: {}, "
        "limits: [{count: 2, per: day}]}\n"
        "  - {name: rest, when: always, hold: look}\n",
        "rules.yaml");
    fuzz::expect(set.has_value(), "the rules of this target must be valid");
    const auto tests = rules::parse_rule_tests(fuzz::as_text(data, size), "f");
    if (!tests) {
        fuzz::expect(!tests.error().empty(), "a refusal must have a reason");
        return 0;
    }
    fuzz::expect(!tests->tests.empty(), "a file of tests has tests");
    const auto report = rules::run_rule_tests(*tests, *set);
    fuzz::expect(report.results.size() == tests->tests.size(), "each test has a result");
    fuzz::expect(!rules::junit_xml(report, "suite").empty(), "the report is written");
    return 0;
}
