// The numbers that this instance may use. Other instances on the same bank or account have other ranges.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace drawbridge::disbursement {

struct NumberRange {
    std::int64_t from = 1;
    std::int64_t to = 1;  // inclusive
    friend bool operator==(const NumberRange&, const NumberRange&) = default;
};
inline constexpr std::int64_t last_payment_id = 9'999'999'999;  // ten digits after the P
inline constexpr std::int64_t last_trace_sequence = 9'999'999;
inline constexpr std::int64_t last_check_number = 9'999'999'999;  // ten digits in the layouts that banks use
inline constexpr std::int64_t last_file_number = 999'999'999;
inline constexpr std::string_view all_file_id_modifiers = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
struct NumberRanges {
    NumberRange payment{1, last_payment_id};
    NumberRange trace{1, last_trace_sequence};  // last seven digits of trace numbers
    NumberRange check{1, last_check_number};
    NumberRange file{1, last_file_number};  // in file names
    std::string file_id_modifiers{all_file_id_modifiers};
    friend bool operator==(const NumberRanges&, const NumberRanges&) = default;
};

}  // namespace drawbridge::disbursement
