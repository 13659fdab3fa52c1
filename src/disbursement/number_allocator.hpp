// Allocates the numbers of a run's payments and files in order, and says which range is used up. Private to this
// module. The ledger owns the block that they come from and stores what is left.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "drawbridge/disbursement/plan.hpp"

namespace drawbridge::disbursement {

class NumberAllocator {
  public:
    // Numbers begin at the start of their ranges.
    NumberAllocator(const NumberBlock& numbers, const NumberRanges& ranges);

    // Which range is too small for an entry with that many trace numbers, in a new batch or not; or an empty string.
    [[nodiscard]] std::string entry_used_up(std::int64_t traces_needed, bool in_new_batch) const;
    [[nodiscard]] std::string check_used_up() const;
    [[nodiscard]] std::string file_used_up() const;
    // The day's first modifier that no file uses yet (file header 34); nullopt: this instance has used all of its own.
    [[nodiscard]] std::optional<char> free_file_id_modifier() const;

    // Call these only after the checks above.
    [[nodiscard]] std::int64_t take_payment_id() { return left_.next_payment_id++; }
    [[nodiscard]] std::int64_t take_check_number() { return left_.next_check_number++; }
    [[nodiscard]] std::string take_trace_number(const RoutingNumber& odfi);
    void take_file_id_modifier(char modifier) { left_.used_file_id_modifiers += modifier; }
    void take_batch_number() { ++left_.next_batch_number; }
    void take_file_sequence() { ++left_.next_file_sequence; }

    [[nodiscard]] std::int64_t batch_number() const { return left_.next_batch_number; }
    [[nodiscard]] std::int64_t file_sequence() const { return left_.next_file_sequence; }
    [[nodiscard]] const NumberBlock& left() const { return left_; }

  private:
    [[nodiscard]] std::string payment_ids_used_up() const;

    NumberBlock left_;
    NumberRanges ranges_;
};

[[nodiscard]] std::string zero_filled(std::int64_t value, int width);

}  // namespace drawbridge::disbursement
