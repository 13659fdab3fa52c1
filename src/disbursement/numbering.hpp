// Deals out the numbers of a run's payments and files in order, and says which kind is used up. Private to this module;
// the ledger owns the block they come from and keeps what is left.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "drawbridge/disbursement/plan.hpp"

namespace drawbridge::disbursement {

class Numbering {
  public:
    // Numbers begin at the first of their ranges.
    Numbering(const NumberBlock& numbers, const NumberRanges& ranges);

    // What keeps an entry from being numbered that needs so many trace numbers, or nothing.
    [[nodiscard]] std::string entry_used_up(std::int64_t traces_needed) const;
    [[nodiscard]] std::string check_used_up() const;
    [[nodiscard]] std::string file_used_up() const;
    // The first of the day that no file carries yet (file header 34); nullopt: all of this instance are used.
    [[nodiscard]] std::optional<char> free_file_id_modifier() const;

    // Each asks that the questions above were asked first.
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
    NumberBlock left_;
    NumberRanges ranges_;
};

[[nodiscard]] std::string zero_filled(std::int64_t value, int width);

}  // namespace drawbridge::disbursement
