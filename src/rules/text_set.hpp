// A set of texts, described by constraints. For proofs about rules, not for deciding: when it cannot prove that one set
// covers another, covers() is false.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "drawbridge/rules/rule_set.hpp"
#include "text_comparison.hpp"

namespace drawbridge::rules {

// A constraint that every text of a set satisfies.
struct TextConstraint {
    Operator op = Operator::equal;  // equal, contains, starts_with, ends_with, matches
    std::string text;
    bool negated = false;
};

class TextSet {
  public:
    // All texts.
    explicit TextSet(TextComparison texts) : texts_(texts) {}
    [[nodiscard]] static TextSet none(TextComparison texts);
    [[nodiscard]] static TextSet of(TextComparison texts, std::vector<std::string> values);
    [[nodiscard]] static TextSet constrained_by(TextComparison texts, TextConstraint constraint);

    // True only when it is certain.
    [[nodiscard]] bool empty() const;
    [[nodiscard]] bool covers(const TextSet& other) const;
    [[nodiscard]] TextSet intersection(const TextSet& other) const;

  private:
    // With values_ only.
    [[nodiscard]] bool has(const std::string& value) const;
    [[nodiscard]] bool all_satisfy(const TextConstraint& constraint) const;
    // Of every text that is equal to `value`. nullopt: it depends on the blanks at the ends or on the letter case.
    [[nodiscard]] std::optional<bool> satisfies(const std::string& value, const TextConstraint& constraint) const;
    [[nodiscard]] bool implies(const TextConstraint& known, const TextConstraint& asked) const;
    [[nodiscard]] bool implies_positive(const TextConstraint& known, const TextConstraint& asked) const;
    [[nodiscard]] bool exclude_each_other(const TextConstraint& a, const TextConstraint& b) const;

    TextComparison texts_;
    std::optional<std::vector<std::string>> values_;  // the texts equal to one of these; unset: all
    std::vector<TextConstraint> constraints_;
};

}  // namespace drawbridge::rules
