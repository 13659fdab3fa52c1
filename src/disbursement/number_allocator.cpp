#include "number_allocator.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "drawbridge/domain/assert.hpp"

namespace drawbridge::disbursement {
namespace {

constexpr std::int64_t last_batch_number = 9'999'999;

std::string used_up(std::string_view what, const NumberRange& range, std::string_view key) {
    return std::string(what) + " " + std::to_string(range.from) + " to " + std::to_string(range.to) + " (" +
           std::string(key) + ")";
}

}  // namespace

NumberAllocator::NumberAllocator(const NumberBlock& numbers, const NumberRanges& ranges)
    : left_(numbers), ranges_(ranges) {
    DRAWBRIDGE_ASSERT(numbers.next_payment_id > 0 && numbers.next_trace_sequence > 0 && numbers.next_check_number > 0 &&
                          numbers.next_batch_number > 0 && numbers.next_file_sequence > 0,
                      "numbers must begin at 1");
    left_.next_payment_id = std::max(left_.next_payment_id, ranges.payment.from);
    left_.next_trace_sequence = std::max(left_.next_trace_sequence, ranges.trace.from);
    left_.next_check_number = std::max(left_.next_check_number, ranges.check.from);
    left_.next_file_sequence = std::max(left_.next_file_sequence, ranges.file.from);
}

std::string NumberAllocator::entry_used_up(std::int64_t traces_needed, bool in_new_batch) const {
    if (left_.next_trace_sequence + traces_needed - 1 > ranges_.trace.to) {
        return used_up("the trace numbers", ranges_.trace, "ach.trace_numbers");
    }
    if (in_new_batch && left_.next_batch_number > last_batch_number) return "the batch numbers";
    return payment_ids_used_up();
}

std::string NumberAllocator::check_used_up() const {
    if (left_.next_check_number > ranges_.check.to) {
        return used_up("the check numbers", ranges_.check, "checks.first_number, checks.last_number");
    }
    return payment_ids_used_up();
}

std::string NumberAllocator::payment_ids_used_up() const {
    if (left_.next_payment_id <= ranges_.payment.to) return {};
    return used_up("the payment ids", ranges_.payment, "pay.payment_ids");
}

std::string NumberAllocator::file_used_up() const {
    if (left_.next_file_sequence <= ranges_.file.to) return {};
    return used_up("the file numbers", ranges_.file, "pay.file_numbers");
}

std::optional<char> NumberAllocator::free_file_id_modifier() const {
    const auto modifier = std::ranges::find_if(
        ranges_.file_id_modifiers, [&](char c) { return left_.used_file_id_modifiers.find(c) == std::string::npos; });
    if (modifier == ranges_.file_id_modifiers.end()) return std::nullopt;
    return *modifier;
}

std::string NumberAllocator::take_trace_number(const RoutingNumber& odfi) {
    return std::string(odfi.identification()) + zero_filled(left_.next_trace_sequence++, 7);
}

std::string zero_filled(std::int64_t value, int width) {
    return fmt::format("{:0{}}", value, width);
}

}  // namespace drawbridge::disbursement
