#include "text_set.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <utility>

namespace drawbridge::rules {
namespace {

TextConstraint without_negation(TextConstraint constraint) {
    constraint.negated = false;
    return constraint;
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
    if (values_) return values_->empty();
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
    if (other.values_) return std::ranges::all_of(*other.values_, [&](const auto& value) { return contains(value); });
    if (values_) return false;
    return std::ranges::all_of(constraints_, [&](const TextConstraint& asked) {
        return std::ranges::any_of(other.constraints_,
                                   [&](const TextConstraint& known) { return implies(known, asked); });
    });
}

TextSet TextSet::intersection(const TextSet& other) const {
    if (!values_ && other.values_) return other.intersection(*this);
    TextSet both = *this;
    if (values_) {
        std::erase_if(*both.values_, [&](const auto& value) { return !other.contains(value); });
    } else {
        both.constraints_.insert(both.constraints_.end(), other.constraints_.begin(), other.constraints_.end());
    }
    return both;
}

bool TextSet::contains(const std::string& value) const {
    if (values_) return std::ranges::any_of(*values_, [&](const auto& own) { return texts_.equal(own, value); });
    return std::ranges::all_of(constraints_,
                               [&](const TextConstraint& constraint) { return satisfies(value, constraint); });
}

bool TextSet::satisfies(const std::string& value, const TextConstraint& constraint) const {
    const bool positive = constraint.pattern ? re2::RE2::PartialMatch(value, *constraint.pattern)
                                             : texts_.compare(constraint.op, value, constraint.text);
    return positive != constraint.negated;
}

bool TextSet::implies(const TextConstraint& known, const TextConstraint& asked) const {
    if (!known.negated && !asked.negated) return implies_positive(known, asked);
    // Text that is not X is not Y either, if every Y is an X.
    if (known.negated && asked.negated) return implies_positive(without_negation(asked), without_negation(known));
    return !known.negated && exclude_each_other(known, without_negation(asked));
}

bool TextSet::implies_positive(const TextConstraint& known, const TextConstraint& asked) const {
    if (known.op == Operator::equal) return satisfies(known.text, asked);
    if (known.op == Operator::matches || asked.op == Operator::matches) {
        return known.op == asked.op && known.text == asked.text;
    }
    if (asked.op == Operator::contains) return texts_.contains(known.text, asked.text);
    if (asked.op != known.op) return false;
    return texts_.compare(asked.op, known.text, asked.text);
}

bool TextSet::exclude_each_other(const TextConstraint& a, const TextConstraint& b) const {
    if (a.op == Operator::equal) return !satisfies(a.text, b);
    if (b.op == Operator::equal) return !satisfies(b.text, a);
    const bool ends = a.op == Operator::starts_with || a.op == Operator::ends_with;
    if (!ends || a.op != b.op) return false;
    return !texts_.compare(a.op, a.text, b.text) && !texts_.compare(a.op, b.text, a.text);
}

}  // namespace drawbridge::rules
