// A set of texts, by what is claimed of them. For proofs about rules, not for deciding: where it cannot prove that one
// set covers another, it says that it does not.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "drawbridge/rules/rule_set.hpp"
#include "text_comparison.hpp"

namespace drawbridge::rules {

// What holds for every text of a set.
struct TextClaim {
    Operator op = Operator::equal;  // equal, contains, starts_with, ends_with, matches
    std::string text;
    bool negated = false;
    std::shared_ptr<const re2::RE2> pattern = {};  // of matches
};

class TextSet {
  public:
    // All texts.
    explicit TextSet(TextComparison texts) : texts_(texts) {}
    [[nodiscard]] static TextSet none(TextComparison texts);
    [[nodiscard]] static TextSet of(TextComparison texts, std::vector<std::string> values);
    [[nodiscard]] static TextSet claiming(TextComparison texts, TextClaim claim);

    // True only where it is certain.
    [[nodiscard]] bool empty() const;
    [[nodiscard]] bool covers(const TextSet& other) const;
    [[nodiscard]] TextSet intersection(const TextSet& other) const;

  private:
    [[nodiscard]] bool contains(const std::string& value) const;
    [[nodiscard]] bool fulfils(const std::string& value, const TextClaim& claim) const;
    [[nodiscard]] bool implies(const TextClaim& known, const TextClaim& asked) const;
    [[nodiscard]] bool implies_positive(const TextClaim& known, const TextClaim& asked) const;
    [[nodiscard]] bool exclude_each_other(const TextClaim& a, const TextClaim& b) const;

    TextComparison texts_;
    std::optional<std::vector<std::string>> values_;  // only these; then there are no claims
    std::vector<TextClaim> claims_;
};

}  // namespace drawbridge::rules
