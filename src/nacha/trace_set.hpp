// The trace numbers seen so far. Consecutive numbers, as in a file, take one bit each.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

namespace drawbridge::nacha {

class TraceSet {
  public:
    // True when it was not yet in the set.
    bool insert(std::uint64_t trace_number) {
        const std::uint64_t page = trace_number / bits_of_page;
        if (last_ == nullptr || page != last_page_) {
            last_ = &pages_[page];
            last_page_ = page;
        }
        std::uint64_t& word = (*last_)[trace_number % bits_of_page / 64];
        const std::uint64_t bit = std::uint64_t{1} << (trace_number % 64);
        const bool is_new = (word & bit) == 0;
        word |= bit;
        return is_new;
    }

  private:
    static constexpr std::uint64_t bits_of_page = 512;
    using Page = std::array<std::uint64_t, bits_of_page / 64>;
    std::unordered_map<std::uint64_t, Page> pages_;
    Page* last_ = nullptr;
    std::uint64_t last_page_ = 0;
};

}  // namespace drawbridge::nacha
