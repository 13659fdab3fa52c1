// CSV (RFC 4180, by libcsv) with the position of every field, so that an error can name line and column.
#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/text/diagnostic.hpp"

namespace drawbridge::text {

struct CsvField {
    std::string text;  // as written, unquoted; not trimmed
    int column = 1;    // byte column in its line, from 1, of the field's first character (its opening quote, if quoted)
};

struct CsvRow {
    int line = 1;  // the physical line where the row begins
    std::vector<CsvField> fields;
};

struct CsvOptions {
    char delimiter = ',';
    char quote = '"';
    std::size_t max_field_bytes = std::size_t{64} * 1024;
};

// Returns every row that is not an empty line. Skips a UTF-8 byte order mark. On failure it returns all errors, not
// only the first (after 1,000 it only counts): an unclosed quote, text after a closing quote, a quote inside a field
// that does not begin with one, a NUL byte, a field over max_field_bytes, bytes that are not UTF-8.
[[nodiscard]] std::expected<std::vector<CsvRow>, Diagnostics> read_csv(std::string_view bytes,
                                                                       std::string_view file_name,
                                                                       const CsvOptions& options = {});

// One row, quoted where needed, ending in "\n". A field that a spreadsheet would treat as a formula is written
// unchanged: machines read these files.
[[nodiscard]] std::string write_csv_row(const std::vector<std::string>& fields, char delimiter = ',');

// The message for a file with another separator than expected: "the columns are separated by ';'".
[[nodiscard]] std::string separated_by(char separator);

}  // namespace drawbridge::text
