// Tests for a rule set, written by operators in YAML: draws and the expected decisions. It reads no file; it runs the
// tests against a given rule set.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/draw.hpp"
#include "drawbridge/domain/time.hpp"
#include "drawbridge/rules/decide.hpp"
#include "drawbridge/rules/rule_set.hpp"
#include "drawbridge/text/diagnostic.hpp"

namespace drawbridge::rules {

// Only the given members are compared.
struct Expectation {
    Outcome outcome = Outcome::hold;
    std::optional<std::string> rule;  // empty: no rule decides
    std::optional<std::string> reason;
    std::optional<std::string> notes;
    std::optional<std::int64_t> approver_id;
};

struct RuleTest {
    std::string name;
    int line = 0, column = 0;
    std::vector<Draw> draws;  // each must be decided as expected
    Instant now;
    std::vector<ListedHistory::Entry> history = {};
    Expectation expect = {};
};

struct RuleTests {
    std::string rules_file = "rules.yaml";  // as written; relative to the test file
    // As written, valid: the zone whose days the effective dates are, and the field that contains the payee, for
    // payee_total and payee_count.
    std::optional<std::string> zone;
    const DrawField* payee_key = nullptr;
    std::vector<RuleTest> tests;  // at least one
};

// What a test file does not say: pay.timezone and payees.key.
struct OfficeOfTests {
    TimeZone zone;
    const DrawField* payee_key = nullptr;
};
// Where no configuration is known: America/New_York and fieldA.
[[nodiscard]] OfficeOfTests usual_office();

// Reports every problem in one run. A file without tests is a problem.
[[nodiscard]] std::expected<RuleTests, text::Diagnostics> parse_rule_tests(std::string_view text,
                                                                           std::string_view file_name);

struct RuleTestResult {
    std::string name;
    int line = 0, column = 0;
    std::vector<std::string> failures;  // empty: passed
};

struct RuleTestReport {
    std::vector<RuleTestResult> results;
    // Enabled rules that decided no draw of any test (and, in shadow mode, matched none).
    std::vector<std::string> unexercised;
    [[nodiscard]] std::size_t failed() const;
};

[[nodiscard]] RuleTestReport run_rule_tests(const RuleTests& tests, const RuleSet& rules,
                                            const OfficeOfTests& office = usual_office());

// For CI systems: one <testsuite> with a <testcase> for each test.
[[nodiscard]] std::string junit_xml(const RuleTestReport& report, std::string_view suite);

}  // namespace drawbridge::rules
