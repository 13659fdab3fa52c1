// Splits BAI2 bytes into records and fields, whatever the line layout. It does not know what the records mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/text/diagnostic.hpp"

namespace drawbridge::statements {

// A record with its 88s and the other physical lines that belong to it.
struct Bai2Record {
    std::string_view code;
    int line = 0, column = 0;
    // One for the record and for each 88: after the code and its comma, without the final slash, and with the lines
    // without a record code that it is wrapped onto.
    std::vector<std::string> pieces;
    std::int64_t physical = 1;  // records that the trailers count: this one and its 88s
};

// Reads bytes into records, one at a time. A record begins at the start of a line, or after "/" and a space:
// "12/16,500" inside a text is not a record. A file without line ends may have lines of the length that its 01
// states, or of 80 characters, or a record right after each "/".
class Bai2Records {
  public:
    Bai2Records(std::string_view bytes, text::DiagnosticReport& report);
    std::optional<Bai2Record> next();

  private:
    struct Part {
        std::string_view code;    // empty: a line without a code
        std::string_view text;    // after the record code and its comma, without the final slash
        std::string_view blanks;  // after the text
        int line = 0, column = 0;
        bool ended = false;  // by a slash
    };
    std::optional<Part> next_part();
    void skip_marks();
    void push(const Part& part);
    void append_wrapped(const Part& part);
    std::string_view take_line();
    [[nodiscard]] std::size_t part_end(std::size_t from) const;

    std::string_view rest_;
    std::size_t line_length_;  // of a file without line ends whose lines are padded; 0: any other file
    bool is_one_line_;
    text::DiagnosticReport& report_;
    std::string_view line_text_;
    std::size_t part_at_ = 0;
    int line_ = 0;
    std::optional<Bai2Record> open_;
    std::string_view open_blanks_;  // after its last piece
    bool open_ended_ = true;
};

// Takes fields one after the other, across a record's 88s.
class Bai2Fields {
  public:
    explicit Bai2Fields(const Bai2Record& record) : pieces_(record.pieces) {}
    [[nodiscard]] bool at_end() const;
    std::string_view take();
    // True when only commas remain in this 03 or 88; skips them. Some banks end a record with a comma before an 88 that
    // begins with the next type code.
    bool skip_empty_rest();
    // True when the next field begins an 88 and is the type code of another summary, so that the previous one left out
    // its last fields. Three digits are not a funds type. Before the item count, which may also have three digits, the
    // field after it decides: it cannot be a funds type.
    [[nodiscard]] bool begins_summary(bool before_item_count) const;
    // The rest as one text field, which may contain commas and slashes and continues in the 88s, with `between` before
    // each of them.
    std::string take_text(std::string_view between);

  private:
    const std::vector<std::string>& pieces_;
    std::size_t piece_ = 0;
    std::size_t at_ = 0;
};

// Whether the bytes begin with a BAI2 file of a day on which nothing was booked: a header, perhaps groups without
// accounts, and a trailer, in any line layout. The fields of the header and the trailers must be right, because a CSV
// may also begin with 01.
[[nodiscard]] bool is_without_accounts(std::string_view bytes);

}  // namespace drawbridge::statements
