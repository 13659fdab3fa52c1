#include "number_set.hpp"

#include <algorithm>

namespace drawbridge::rules {

NumberSet NumberSet::between(std::int64_t first, std::int64_t last) {
    NumberSet set;
    if (first <= last) set.intervals_.push_back({first, last});
    return set;
}

NumberSet NumberSet::above(std::int64_t value) {
    return value == highest ? NumberSet() : between(value + 1, highest);
}

NumberSet NumberSet::below(std::int64_t value) {
    return value == lowest ? NumberSet() : between(lowest, value - 1);
}

NumberSet NumberSet::complement() const {
    NumberSet set;
    std::int64_t next = lowest;
    for (const Interval& interval : intervals_) {
        if (interval.first > next) set.intervals_.push_back({next, interval.first - 1});
        if (interval.last == highest) return set;
        next = interval.last + 1;
    }
    set.intervals_.push_back({next, highest});
    return set;
}

NumberSet NumberSet::intersection(const NumberSet& other) const {
    NumberSet set;
    for (auto a = intervals_.begin(), b = other.intervals_.begin();
         a != intervals_.end() && b != other.intervals_.end();) {
        const Interval both{std::max(a->first, b->first), std::min(a->last, b->last)};
        if (both.first <= both.last) set.intervals_.push_back(both);
        if (a->last < b->last) {
            ++a;
        } else {
            ++b;
        }
    }
    return set;
}

NumberSet NumberSet::union_with(const NumberSet& other) const {
    return complement().intersection(other.complement()).complement();
}

}  // namespace drawbridge::rules
