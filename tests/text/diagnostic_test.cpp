#include "drawbridge/text/diagnostic.hpp"

#include <gtest/gtest.h>

namespace drawbridge::text {
namespace {

TEST(Diagnostic, is_one_line_with_position_problem_and_hint) {
    struct Case {
        Diagnostic diagnostic;
        std::string_view text;
    };
    const Case cases[] = {
        {{"rules.yaml", 4, 7, "unknown key 'aprove'", "did you mean 'approve'?", Severity::error},
         "rules.yaml:4:7: unknown key 'aprove': did you mean 'approve'?"},
        {{"a.csv", 4, 0, "too short", "", Severity::error}, "a.csv:4: too short"},
        {{"a.csv", 0, 7, "empty", "", Severity::error}, "a.csv: empty"},
        {{"a.csv", 1, 2, "odd", "look", Severity::warning}, "a.csv:1:2: warning: odd: look"},
        {{"a\nb.csv", 1, 2, "'\x1b[2J\t'", "", Severity::error}, "a?b.csv:1:2: '?[2J?'"},
    };
    for (const Case& c : cases)
        EXPECT_EQ(c.diagnostic.to_string(), c.text);
}

TEST(Diagnostics, are_listed_in_order_of_position) {
    const Diagnostics diagnostics = {
        {"b", 1, 1, "5", "", Severity::error}, {"a", 10, 1, "4", "", Severity::error},
        {"a", 2, 9, "2", "", Severity::error}, {"a", 2, 9, "3", "", Severity::error},
        {"a", 2, 1, "1", "", Severity::error},
    };
    EXPECT_EQ(to_string(diagnostics), "a:2:1: 1\na:2:9: 2\na:2:9: 3\na:10:1: 4\nb:1:1: 5\n");
}

TEST(Closest, finds_the_word_behind_a_typo_and_nothing_else) {
    const std::vector<std::string_view> words = {"approve", "hold", "in", "workflowId", "amountRequested"};
    struct Case {
        std::string_view word;
        std::string_view meant;
    };
    const Case cases[] = {
        {"aprove", "approve"},
        {"Approve", "approve"},
        {"appvroe", "approve"},
        {"WORKFLOWID", "workflowId"},
        {"hodl", "hold"},
        {"amountRequestd", "amountRequested"},
        {"on", ""},
        {"aprove", "approve"},
        {"not_in", ""},
        {"reject", ""},
        {"", ""},
        {"x", ""},
        {"xy", ""},
    };
    for (const Case& c : cases)
        EXPECT_EQ(closest_match(c.word, words), c.meant) << c.word;
    EXPECT_EQ(closest_match(std::string(100'000, 'a'), words), "");
}

}  // namespace
}  // namespace drawbridge::text
