#pragma once
// Owns the only source of repeatable randomness (SplitMix64): small, fast, and the same on every platform.

#include <cstddef>
#include <cstdint>

namespace draws_sandbox {

class SeededRandom {
  public:
    explicit SeededRandom(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        state_ += 0x9e3779b97f4a7c15ULL;
        auto z = state_;
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31U);
    }
    // 0 <= result < bound, for a bound of at least 1
    std::int64_t below(std::int64_t bound) {
        return static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(bound));
    }
    bool one_in(std::int64_t bound) { return below(bound) == 0; }
    template <typename List>
    const auto& pick(const List& list) {
        return list[static_cast<std::size_t>(below(static_cast<std::int64_t>(list.size())))];
    }

  private:
    std::uint64_t state_;
};

}  // namespace draws_sandbox
