#include "numbering.hpp"

#include <algorithm>
#include <cstdio>

#include "drawbridge/domain/assert.hpp"

namespace drawbridge::disbursement {
namespace {

constexpr std::int64_t last_payment_id = 9'999'999'999;  // ten digits after the P
constexpr std::int64_t last_trace_sequence = 9'999'999;
constexpr std::int64_t last_batch_number = 9'999'999;
constexpr std::int64_t last_check_number = 9'999'999'999;  // ten digits in the layouts that banks use
constexpr std::string_view file_id_modifiers = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

}  // namespace

Numbering::Numbering(const NumberBlock& numbers) : left_(numbers) {
    DRAWBRIDGE_ASSERT(numbers.next_payment_id > 0 && numbers.next_trace_sequence > 0 && numbers.next_check_number > 0 &&
                          numbers.next_batch_number > 0 && numbers.next_file_sequence > 0,
                      "numbers begin at 1");
}

std::string_view Numbering::entry_used_up(std::int64_t traces_needed) const {
    if (left_.next_trace_sequence + traces_needed - 1 > last_trace_sequence) return "the trace numbers";
    if (left_.next_batch_number > last_batch_number) return "the batch numbers";
    if (left_.next_payment_id > last_payment_id) return "the payment ids";
    return {};
}

std::string_view Numbering::check_used_up() const {
    if (left_.next_check_number > last_check_number) return "the check numbers";
    if (left_.next_payment_id > last_payment_id) return "the payment ids";
    return {};
}

std::optional<char> Numbering::free_file_id_modifier() const {
    const auto modifier = std::ranges::find_if(
        file_id_modifiers, [&](char c) { return left_.used_file_id_modifiers.find(c) == std::string::npos; });
    if (modifier == file_id_modifiers.end()) return std::nullopt;
    return *modifier;
}

std::string Numbering::take_trace_number(const RoutingNumber& odfi) {
    return std::string(odfi.identification()) + zero_filled(left_.next_trace_sequence++, 7);
}

std::string zero_filled(std::int64_t value, int width) {
    char text[24];
    std::snprintf(text, sizeof text, "%0*lld", width, static_cast<long long>(value));
    return text;
}

}  // namespace drawbridge::disbursement
