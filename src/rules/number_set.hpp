// A set of whole numbers (cents, milliseconds, days, plain numbers) as intervals. For proofs about rules, not for
// deciding.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace drawbridge::rules {

class NumberSet {
  public:
    static constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
    static constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();

    NumberSet() = default;  // empty
    [[nodiscard]] static NumberSet all() { return between(lowest, highest); }
    // Both ends included; empty when last < first.
    [[nodiscard]] static NumberSet between(std::int64_t first, std::int64_t last);
    [[nodiscard]] static NumberSet above(std::int64_t value);
    [[nodiscard]] static NumberSet below(std::int64_t value);

    [[nodiscard]] bool empty() const { return intervals_.empty(); }
    [[nodiscard]] NumberSet complement() const;
    [[nodiscard]] NumberSet intersection(const NumberSet& other) const;
    [[nodiscard]] NumberSet union_with(const NumberSet& other) const;
    [[nodiscard]] bool covers(const NumberSet& other) const { return other.intersection(*this) == other; }
    friend bool operator==(const NumberSet&, const NumberSet&) = default;

  private:
    struct Interval {
        std::int64_t first, last;
        friend bool operator==(const Interval&, const Interval&) = default;
    };
    std::vector<Interval> intervals_;  // ascending, never adjacent
};

}  // namespace drawbridge::rules
