// Writes values into the bytes of records, one blank 94-byte record after the other, passed on in blocks. It knows how
// to fill a field (justify, pad, truncate or refuse), not which fields exist. It never reads back what it wrote:
// loading bytes that were just stored is slow, so each value is checked on its way.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/domain/time.hpp"
#include "drawbridge/nacha/encoder.hpp"

namespace drawbridge::nacha {

// Each value goes to a position that counts from 1; its width is a compile-time constant where speed matters. It keeps
// the first value that does not fit as the error; anything written afterwards is irrelevant.
class RecordWriter {
  public:
    RecordWriter(Encoder::Sink sink, LineEnd line_end);

    void begin_record(char type) {
        if (buffer_size - used_ < record_length + 2) flush();
        record_ = buffer_.data() + used_;
        std::memset(record_, ' ', record_length);
        record_[0] = type;
        ++records_;
    }
    void end_record() {
        std::memcpy(record_ + record_length, line_end_.data(), 2);
        used_ += record_length + line_end_size_;
    }
    void pad_block();
    void flush();
    [[nodiscard]] std::size_t records() const { return records_; }

    // The subject of the record, for messages: "batch " 3, "entry " 091000010000001. A view that must outlive the
    // record.
    void set_subject(std::string_view what, std::string_view which = {}) {
        about_ = what;
        which_ = which;
    }
    void set_subject(std::string_view what, std::int64_t which) {
        number_ = std::to_string(which);
        set_subject(what, number_);
    }

    // Descriptive text: truncated on the right.
    void text(std::size_t position, std::size_t width, std::string_view value, std::string_view field) {
        if (!copy_readable(record_ + position - 1, value.data(), std::min(value.size(), width)))
            refuse(field, "has a character that banks do not accept");
    }
    // An identification: must fit.
    void identification(std::size_t position, std::size_t width, std::string_view value, std::string_view field) {
        if (value.size() > width) return refuse_length(field, width);
        text(position, width, value, field);
    }
    // Exactly this many digits.
    template <std::size_t Width>
    void digits(std::size_t position, std::string_view value, std::string_view field) {
        if (value.size() != Width || !all_digits<Width>(value.data())) return refuse_digits(field, Width);
        std::memcpy(record_ + position - 1, value.data(), Width);
    }
    // Right-justified, zero-filled, never truncated.
    template <std::size_t Width>
    void number(std::size_t position, std::int64_t value, std::string_view field) {
        if (value < 0 || value >= ten_to_the(Width)) return refuse_number(field, Width);
        put_number<Width>(record_ + position - 1, static_cast<std::uint64_t>(value));
    }
    void date(std::size_t position, BusinessDate value, std::string_view field);
    void time_of_day(std::size_t position, std::chrono::minutes value, std::string_view field);

    void refuse(std::string_view field, std::string_view why);
    [[nodiscard]] bool has_error() const { return error_.has_value(); }
    [[nodiscard]] const std::optional<Error>& error() const { return error_; }

  private:
    static constexpr std::size_t buffer_size = std::size_t{1} << 16;

    static constexpr std::int64_t ten_to_the(std::size_t digits) {
        return digits == 0 ? 1 : 10 * ten_to_the(digits - 1);
    }
    static constexpr auto two_digit_texts = [] {
        std::array<char, 200> texts{};
        for (std::size_t i = 0; i < 100; ++i) {
            texts[i * 2] = static_cast<char>('0' + i / 10);
            texts[i * 2 + 1] = static_cast<char>('0' + i % 10);
        }
        return texts;
    }();

    template <std::size_t Width>
    static void put_number(char* to, std::uint64_t value) {
        if constexpr (Width == 1) {
            *to = static_cast<char>('0' + value);
        } else {
            std::memcpy(to + Width - 2, two_digit_texts.data() + value % 100 * 2, 2);
            if constexpr (Width > 2) put_number<Width - 2>(to, value / 100);
        }
    }
    // Eight at a time; the last step overlaps the one before.
    template <std::size_t Width>
    static bool all_digits(const char* from) {
        if constexpr (Width >= 8) {
            return are_eight_digits(from) && (Width == 8 || are_eight_digits(from + Width - 8));
        } else {
            bool is_right = true;
            for (std::size_t i = 0; i < Width; ++i)
                is_right = is_right & (static_cast<unsigned char>(from[i] - '0') <= 9);
            return is_right;
        }
    }
    // A digit has a high nibble of 3 and keeps it when six is added.
    static bool are_eight_digits(const char* from) {
        constexpr std::uint64_t high_halves = 0xF0F0F0F0F0F0F0F0, threes = 0x3030303030303030;
        std::uint64_t bytes = 0;
        std::memcpy(&bytes, from, 8);
        return ((bytes & high_halves) | ((bytes + 0x0606060606060606) & high_halves) >> 4) == (threes | threes >> 4);
    }
    // True when every byte is 0x20-0x7E. Does not read beyond the value.
    static bool copy_readable(char* to, const char* from, std::size_t size) {
        if (size >= 16) return copy_sixteens(to, from, size);
        if (size >= 8) return copy_eight(to, from) && copy_eight(to + size - 8, from + size - 8);
        bool is_right = true;
        for (std::size_t i = 0; i < size; ++i) {
            is_right = is_right & (static_cast<unsigned char>(from[i] - 0x20) <= 0x7E - 0x20);
            to[i] = from[i];
        }
        return is_right;
    }
    // A byte below 0x20 borrows a high bit, 0x7F gains one, and larger bytes have one.
    static bool copy_eight(char* to, const char* from) {
        std::uint64_t bytes = 0;
        std::memcpy(&bytes, from, 8);
        std::memcpy(to, &bytes, 8);
        return (((bytes - 0x2020202020202020) | (bytes + 0x0101010101010101) | bytes) & 0x8080808080808080) == 0;
    }
    static bool copy_sixteens(char* to, const char* from, std::size_t size) {
        using Sixteen = std::uint8_t __attribute__((vector_size(16)));
        Sixteen bad{};
        for (std::size_t at = 0; at != size; at = at + 32 <= size ? at + 16 : at + 16 == size ? size : size - 16) {
            Sixteen bytes;
            std::memcpy(&bytes, from + at, sizeof bytes);
            std::memcpy(to + at, &bytes, sizeof bytes);
            bad |= reinterpret_cast<Sixteen>(bytes - 0x20 > 0x7E - 0x20);
        }
        std::array<std::uint64_t, 2> any{};
        std::memcpy(any.data(), &bad, sizeof bad);
        return (any[0] | any[1]) == 0;
    }

    void refuse_length(std::string_view field, std::size_t width);
    void refuse_digits(std::string_view field, std::size_t width);
    void refuse_number(std::string_view field, std::size_t width);

    Encoder::Sink sink_;
    std::string
        line_end_;  // two bytes are copied from it: the second may be its terminating zero, which is then overwritten
    std::size_t line_end_size_;
    std::string buffer_;
    std::size_t used_ = 0;
    char* record_ = nullptr;
    std::string_view about_, which_;
    std::string number_;
    std::size_t records_ = 0;
    std::optional<Error> error_;
};

}  // namespace drawbridge::nacha
