// Slices and digits of a record, for this module's readers. Positions count from 1, as in the NACHA rules.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/domain/time.hpp"

namespace drawbridge::nacha {

inline std::string_view slice(std::string_view record, std::size_t position, std::size_t length) {
    return record.substr(position - 1, length);
}
inline bool is_blank(std::string_view text) {
    return text.find_first_not_of(' ') == std::string_view::npos;
}
inline bool is_zeros(std::string_view text) {
    return text.find_first_not_of('0') == std::string_view::npos;
}
// Without trailing spaces.
inline std::string_view unpadded(std::string_view text) {
    return text.substr(0, text.find_last_not_of(' ') + 1);
}
// Only zeros where a value is required, apart from spaces around them.
inline bool is_only_zeros(std::string_view text) {
    const std::string_view value = trimmed(text);
    return !value.empty() && is_zeros(value);
}
// At most eighteen digits. Zero for text that is not a number; its form is reported separately.
inline std::int64_t number(std::string_view digits) {
    std::int64_t value = 0;
    for (const char c : digits) {
        if (!is_digit(c)) return 0;
        value = value * 10 + (c - '0');
    }
    return value;
}
// Eight characters known to be digits: combines two, four, then all eight at once.
inline std::int64_t eight_digits(const char* digits) {
    static_assert(std::endian::native == std::endian::little);
    std::uint64_t value = 0;
    std::memcpy(&value, digits, 8);
    value = (value & 0x0F0F0F0F0F0F0F0F) * 2561 >> 8;
    value = (value & 0x00FF00FF00FF00FF) * 6553601 >> 16;
    return static_cast<std::int64_t>((value & 0x0000FFFF0000FFFF) * 42949672960001 >> 32);
}
// A fixed number of characters known to be digits: eight, and the rest as the last of eight more.
template <std::size_t Width>
inline std::int64_t known_number(const char* digits) {
    static_assert(Width >= 8 && Width <= 16);
    constexpr std::array<std::int64_t, 9> tens = {1,       10,        100,        1'000,      10'000,
                                                  100'000, 1'000'000, 10'000'000, 100'000'000};
    constexpr std::int64_t unit = tens[Width - 8];
    return eight_digits(digits) * unit + eight_digits(digits + Width - 8) % unit;
}

using Sixteen = std::uint8_t __attribute__((vector_size(16)));
inline Sixteen sixteen_at(const void* from) {
    Sixteen value;
    std::memcpy(&value, from, sizeof value);
    return value;
}
// True when a comparison is false for every byte.
inline bool is_none(Sixteen truths) {
    std::array<std::uint64_t, 2> any{};
    std::memcpy(any.data(), &truths, sizeof truths);
    return (any[0] | any[1]) == 0;
}
inline std::int64_t number(std::string_view record, std::size_t position, std::size_t length) {
    return number(slice(record, position, length));
}
// Six digits YYMMDD of this century; may be an invalid date.
inline BusinessDate yymmdd(std::string_view text) {
    return BusinessDate(std::chrono::year(2000 + static_cast<int>(number(text.substr(0, 2)))),
                        std::chrono::month(static_cast<unsigned>(number(text.substr(2, 2)))),
                        std::chrono::day(static_cast<unsigned>(number(text.substr(4, 2)))));
}

}  // namespace drawbridge::nacha
