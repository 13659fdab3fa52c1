// Checks one record against its layout, and reports problems of a record.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "drawbridge/nacha/problem.hpp"
#include "record_layout.hpp"

namespace drawbridge::nacha {

// The position of a field that several records share.
struct Place {
    std::string_view field;
    std::size_t position = 0, length = 0;
};

inline void report(ProblemList& problems, std::size_t line, const Place& place, const std::string& what,
                   Severity severity = Severity::error) {
    problems.add({line, place.position, place.length, std::string(place.field), std::string(place.field) + ": " + what,
                  severity});
}
// For the record as a whole.
inline void report(ProblemList& problems, std::size_t line, std::string what, Severity severity = Severity::error) {
    problems.add({line, 1, 1, "", std::move(what), severity});
}

// How far a record can be relied on; each level includes those before it. Damaged: it has bytes other than 0x20-0x7E,
// or not 94 of them, so that its fields are out of position. Printable: a value is lost. Readable: every value counts.
// Clean: every field has the form that its layout requires.
class Form {
  public:
    enum Level : std::uint8_t { damaged, printable, readable, clean };
    constexpr Form() = default;
    // NOLINTNEXTLINE(google-explicit-constructor): a level is a form
    constexpr Form(Level level) : level_(level) {}
    [[nodiscard]] constexpr bool is_printable() const { return level_ >= printable; }
    [[nodiscard]] constexpr bool is_readable() const { return level_ >= readable; }
    [[nodiscard]] constexpr bool is_clean() const { return level_ >= clean; }
    constexpr void lower_to(Level level) { level_ = std::min(level_, level); }

  private:
    Level level_ = clean;
};

// 94 characters, all in 0x20-0x7E.
[[nodiscard]] bool is_printable(std::string_view record);

// Checks field by field and reports each fault.
[[nodiscard]] Form check_fields(ProblemList& problems, std::size_t line, std::string_view record,
                                const RecordLayout* layout);

// Checks the form of every field. With a layout of nullptr: only the bytes. Nearly every record is clean, so that is
// tested first.
[[nodiscard]] inline Form check_form(ProblemList& problems, std::size_t line, std::string_view record,
                                     const RecordLayout* layout) {
    const bool is_surely_clean = layout != nullptr && fits(record, *layout->mask) &&
                                 std::ranges::all_of(layout->checked_fields, [&](const Field& field) {
                                     return is_certainly_valid(record, field);
                                 });
    return is_surely_clean ? Form(Form::clean) : check_fields(problems, line, record, layout);
}

// "12,345.67" for people; the field contains "1234567".
[[nodiscard]] std::string cents_text(std::int64_t cents);

}  // namespace drawbridge::nacha
