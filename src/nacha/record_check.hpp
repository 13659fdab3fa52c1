// One record against its layout, and how problems of a record are told.
#pragma once

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

struct Form {
    bool is_printable = true;  // no byte but 0x20-0x7E
    bool is_readable = true;   // every value can be relied on
    bool is_clean = true;      // of the form that its layout asks for
    // Of a record that has not 94 characters: its fields are not where they belong.
    [[nodiscard]] static constexpr Form damaged() { return {false, false, false}; }
};

// 94 characters, all of them 0x20-0x7E.
[[nodiscard]] bool is_printable(std::string_view record);

// Every field's form. A layout of nullptr: only the bytes.
[[nodiscard]] Form check_form(ProblemList& problems, std::size_t line, std::string_view record,
                              const RecordLayout* layout);

// "12,345.67" is what people write, "1234567" what the field holds.
[[nodiscard]] std::string cents_text(std::int64_t cents);

}  // namespace drawbridge::nacha
