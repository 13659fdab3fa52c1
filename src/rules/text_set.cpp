#include "text_set.hpp"

#include <algorithm>
#include <utility>

namespace drawbridge::rules {
namespace {

TextConstraint without_negation(TextConstraint constraint) {
    constraint.negated = false;
    return constraint;
}

// The other operators ignore blanks at the ends and, unless the rule set says otherwise, letter case. These may not:
// they can be true of one of two equal texts and false of the other.
bool tells_equal_texts_apart(const TextConstraint& constraint) {
    return constraint.op == Operator::matches ||
           (constraint.op == Operator::contains && TextComparison::has_outer_blank(constraint.text));
}

}  // namespace

TextSet TextSet::none(TextComparison texts) {
    return of(texts, {});
}

TextSet TextSet::of(TextComparison texts, std::vector<std::string> values) {
    TextSet set(texts);
    set.values_ = std::move(values);
    return set;
}

TextSet TextSet::constrained_by(TextComparison texts, TextConstraint constraint) {
    TextSet set(texts);
    set.constraints_.push_back(std::move(constraint));
    return set;
}

bool TextSet::empty() const {
    if (values_ && values_->empty()) return true;
    for (auto constraint = constraints_.begin(); constraint != constraints_.end(); ++constraint) {
        for (auto other = constraint + 1; other != constraints_.end(); ++other) {
            TextConstraint opposite = *other;
            opposite.negated = !opposite.negated;
            if (implies(*constraint, opposite)) return true;
        }
    }
    return false;
}

bool TextSet::covers(const TextSet& other) const {
    if (other.empty()) return true;
    if (values_ &&
        !(other.values_ && std::ranges::all_of(*other.values_, [&](const auto& value) { return has(value); })))
        return false;
    return std::ranges::all_of(constraints_, [&](const TextConstraint& asked) {
        return (other.values_ && other.all_satisfy(asked)) ||
               std::ranges::any_of(other.constraints_,
                                   [&](const TextConstraint& known) { return implies(known, asked); });
    });
}

TextSet TextSet::intersection(const TextSet& other) const {
    TextSet both = *this;
    both.constraints_.insert(both.constraints_.end(), other.constraints_.begin(), other.constraints_.end());
    if (!values_) both.values_ = other.values_;
    if (!both.values_) return both;
    std::erase_if(*both.values_, [&](const auto& value) {
        return (other.values_ && !other.has(value)) ||
               std::ranges::any_of(both.constraints_, [&](const TextConstraint& constraint) {
                   return satisfies(value, constraint) == std::optional(false);
               });
    });
    std::erase_if(both.constraints_, [&](const TextConstraint& constraint) { return both.all_satisfy(constraint); });
    return both;
}

bool TextSet::has(const std::string& value) const {
    return std::ranges::any_of(*values_, [&](const auto& own) { return texts_.equal(own, value); });
}

bool TextSet::all_satisfy(const TextConstraint& constraint) const {
    return std::ranges::all_of(*values_,
                               [&](const auto& value) { return satisfies(value, constraint) == std::optional(true); });
}

std::optional<bool> TextSet::satisfies(const std::string& value, const TextConstraint& constraint) const {
    if (tells_equal_texts_apart(constraint)) return std::nullopt;
    return texts_.compare(constraint.op, value, constraint.text) != constraint.negated;
}

bool TextSet::implies(const TextConstraint& known, const TextConstraint& asked) const {
    if (!known.negated && !asked.negated) return implies_positive(known, asked);
    // Text that is not X is not Y either, if every Y is an X.
    if (known.negated && asked.negated) return implies_positive(without_negation(asked), without_negation(known));
    return !known.negated && exclude_each_other(known, without_negation(asked));
}

bool TextSet::implies_positive(const TextConstraint& known, const TextConstraint& asked) const {
    if (known.op == Operator::equal) return satisfies(known.text, asked) == std::optional(true);
    if (known.op == Operator::matches || asked.op == Operator::matches) {
        return known.op == asked.op && known.text == asked.text;
    }
    if (asked.op == Operator::contains)
        return (known.op == Operator::contains || !tells_equal_texts_apart(asked)) &&
               texts_.contains(known.text, asked.text);
    if (asked.op != known.op) return false;
    return texts_.compare(asked.op, known.text, asked.text);
}

bool TextSet::exclude_each_other(const TextConstraint& a, const TextConstraint& b) const {
    if (a.op == Operator::equal) return satisfies(a.text, b) == std::optional(false);
    if (b.op == Operator::equal) return satisfies(b.text, a) == std::optional(false);
    const bool ends = a.op == Operator::starts_with || a.op == Operator::ends_with;
    if (!ends || a.op != b.op) return false;
    if (TextComparison::has_outer_blank(a.text) || TextComparison::has_outer_blank(b.text)) return false;
    return !texts_.compare(a.op, a.text, b.text) && !texts_.compare(a.op, b.text, a.text);
}

}  // namespace drawbridge::rules
