#include "text_set.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <utility>

namespace drawbridge::rules {
namespace {

TextClaim without_negation(TextClaim claim) {
    claim.negated = false;
    return claim;
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

TextSet TextSet::claiming(TextComparison texts, TextClaim claim) {
    TextSet set(texts);
    set.claims_.push_back(std::move(claim));
    return set;
}

bool TextSet::empty() const {
    if (values_) return values_->empty();
    for (auto claim = claims_.begin(); claim != claims_.end(); ++claim) {
        for (auto other = claim + 1; other != claims_.end(); ++other) {
            TextClaim opposite = *other;
            opposite.negated = !opposite.negated;
            if (implies(*claim, opposite)) return true;
        }
    }
    return false;
}

bool TextSet::covers(const TextSet& other) const {
    if (other.empty()) return true;
    if (other.values_) return std::ranges::all_of(*other.values_, [&](const auto& value) { return contains(value); });
    if (values_) return false;
    return std::ranges::all_of(claims_, [&](const TextClaim& asked) {
        return std::ranges::any_of(other.claims_, [&](const TextClaim& known) { return implies(known, asked); });
    });
}

TextSet TextSet::intersection(const TextSet& other) const {
    if (!values_ && other.values_) return other.intersection(*this);
    TextSet both = *this;
    if (values_) {
        std::erase_if(*both.values_, [&](const auto& value) { return !other.contains(value); });
    } else {
        both.claims_.insert(both.claims_.end(), other.claims_.begin(), other.claims_.end());
    }
    return both;
}

bool TextSet::contains(const std::string& value) const {
    if (values_) return std::ranges::any_of(*values_, [&](const auto& own) { return texts_.equal(own, value); });
    return std::ranges::all_of(claims_, [&](const TextClaim& claim) { return fulfils(value, claim); });
}

bool TextSet::fulfils(const std::string& value, const TextClaim& claim) const {
    const bool positive =
        claim.pattern ? re2::RE2::PartialMatch(value, *claim.pattern) : texts_.compare(claim.op, value, claim.text);
    return positive != claim.negated;
}

bool TextSet::implies(const TextClaim& known, const TextClaim& asked) const {
    if (!known.negated && !asked.negated) return implies_positive(known, asked);
    // What is not X is not Y if every Y is an X.
    if (known.negated && asked.negated) return implies_positive(without_negation(asked), without_negation(known));
    return !known.negated && exclude_each_other(known, without_negation(asked));
}

bool TextSet::implies_positive(const TextClaim& known, const TextClaim& asked) const {
    if (known.op == Operator::equal) return fulfils(known.text, asked);
    if (known.op == Operator::matches || asked.op == Operator::matches) {
        return known.op == asked.op && known.text == asked.text;
    }
    if (asked.op == Operator::contains) return texts_.contains(known.text, asked.text);
    if (asked.op != known.op) return false;
    return texts_.compare(asked.op, known.text, asked.text);
}

bool TextSet::exclude_each_other(const TextClaim& a, const TextClaim& b) const {
    if (a.op == Operator::equal) return !fulfils(a.text, b);
    if (b.op == Operator::equal) return !fulfils(b.text, a);
    const bool ends = a.op == Operator::starts_with || a.op == Operator::ends_with;
    if (!ends || a.op != b.op) return false;
    return !texts_.compare(a.op, a.text, b.text) && !texts_.compare(a.op, b.text, a.text);
}

}  // namespace drawbridge::rules
