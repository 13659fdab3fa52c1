// Which draws a condition matches, as a union of boxes: each box lists the values that some fields may have. For proofs
// about rules (one covers another, one can never match), not for deciding.
#pragma once

#include <chrono>
#include <compare>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "drawbridge/rules/rule_set.hpp"
#include "number_set.hpp"
#include "text_set.hpp"

namespace drawbridge::rules {

// The values that one field may have.
struct FieldSpace {
    bool null = false;
    std::variant<NumberSet, TextSet> values;

    [[nodiscard]] bool empty() const;
    [[nodiscard]] bool covers(const FieldSpace& other) const;
    [[nodiscard]] FieldSpace intersection(const FieldSpace& other) const;
};

// One axis of a box.
struct Dimension {
    enum class Kind {
        value,     // of `field`
        age,       // of `field`, in milliseconds before the decision
        relation,  // of `field` to `other`: -1, 0, 1
        day,       // of the decision
        history,   // the value that the history query named by `history` returns
    };
    Kind kind = Kind::value;
    const DrawField* field = nullptr;
    const DrawField* other = nullptr;
    std::string history = {};           // "case_total over 30d", for people
    std::chrono::milliseconds over{0};  // its window in milliseconds; different windows are different dimensions
    friend auto operator<=>(const Dimension&, const Dimension&) = default;
};

// A dimension that is not listed may have any value.
using Box = std::map<Dimension, FieldSpace>;

struct RuleCoverage {
    std::vector<Box> boxes;  // none of them empty
    std::string impossible;  // if a box was dropped as empty: the part that no draw satisfies, "amountRequested"
};

// nullopt when there are too many alternatives to try.
[[nodiscard]] std::optional<RuleCoverage> rule_coverage(const Rule& rule, bool case_sensitive);

// Whether it is proven that the rule matches every draw on the days when it is in effect.
[[nodiscard]] bool matches_every_draw(const Rule& rule, bool case_sensitive);

[[nodiscard]] bool covers(const Box& box, const Box& other);

// False if it is proven that no draw is in both.
[[nodiscard]] bool may_meet(const Box& box, const Box& other);

// The draws of the box with the largest amount there is. nullopt: something in it bounds the requested amount, a value,
// another field or a total.
[[nodiscard]] std::optional<Box> with_largest_amount(Box box);

}  // namespace drawbridge::rules
