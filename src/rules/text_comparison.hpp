// Compares text as the rule set says. Folds only A-Z: case folding of other letters depends on the language. Blanks at
// the ends of a text do not count: nobody sees them in the portal.
#pragma once

#include <string_view>

#include "drawbridge/rules/rule_set.hpp"

namespace drawbridge::rules {

class TextComparison {
  public:
    explicit TextComparison(bool case_sensitive) : same_{case_sensitive} {}

    [[nodiscard]] bool equal(std::string_view a, std::string_view b) const;
    [[nodiscard]] bool contains(std::string_view text, std::string_view part) const;
    [[nodiscard]] bool starts_with(std::string_view text, std::string_view part) const;
    [[nodiscard]] bool ends_with(std::string_view text, std::string_view part) const;
    // A blank at an end, which counts for `contains` and `matches` only.
    [[nodiscard]] static bool has_outer_blank(std::string_view text);
    // One of: equal, in, contains, starts_with, ends_with.
    [[nodiscard]] bool compare(Operator op, std::string_view found, std::string_view wanted) const;

  private:
    struct SameCharacter {
        bool case_sensitive;
        bool operator()(char a, char b) const;
    };
    [[nodiscard]] bool same(std::string_view a, std::string_view b) const;

    SameCharacter same_;
};

}  // namespace drawbridge::rules
