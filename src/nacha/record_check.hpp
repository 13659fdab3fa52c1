// One record against its layout, and how problems of a record are told.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "drawbridge/nacha/problem.hpp"
#include "record_layout.hpp"

namespace drawbridge::nacha {

// Where a rule that several records share finds its field.
struct Place {
    std::string_view field;
    std::size_t position = 0, length = 0;
};

inline void report(ProblemList& problems, std::size_t line, const Place& place, const std::string& what,
                   Severity severity = Severity::error) {
    problems.add({line, place.position, place.length, std::string(place.field), std::string(place.field) + ": " + what,
                  severity});
}
// Of the record as a whole.
inline void report(ProblemList& problems, std::size_t line, std::string what, Severity severity = Severity::error) {
    problems.add({line, 1, 1, "", std::move(what), severity});
}

// How far a record can be relied on; each includes those before it. Damaged: it has other bytes than 0x20-0x7E, or not
// 94 of them, so that its fields are not where they belong. Printable: a value is lost. Readable: every value counts.
// Clean: every field has the form that its layout asks for.
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

// 94 characters, all of them 0x20-0x7E.
[[nodiscard]] bool is_printable(std::string_view record);

// Field by field, with a problem for each fault.
[[nodiscard]] Form judge_form(ProblemList& problems, std::size_t line, std::string_view record,
                              const RecordLayout* layout);

// Every field's form. A layout of nullptr: only the bytes. Of nearly all records, nothing is wrong: that is seen first.
[[nodiscard]] inline Form check_form(ProblemList& problems, std::size_t line, std::string_view record,
                                     const RecordLayout* layout) {
    const bool is_surely_clean =
        layout != nullptr && fits(record, *layout->mask) &&
        std::ranges::all_of(layout->judged, [&](const Field& field) { return is_surely_right(record, field); });
    return is_surely_clean ? Form(Form::clean) : judge_form(problems, line, record, layout);
}

// "12,345.67" is what people write, "1234567" what the field holds.
[[nodiscard]] std::string cents_text(std::int64_t cents);

}  // namespace drawbridge::nacha
