// Bytes → File. It shares no table with the encoder, so that each checks the other.
//
// It accepts a file only whole: every record readable, every number a number, nesting right, and every control record
// equal to what its entries add up to. What a bank additionally demands is validate()'s.
#pragma once

#include <compare>
#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/nacha/records.hpp"

namespace drawbridge::nacha {

struct Problem {
    std::size_t line = 0;      // from 1; 0: the file as a whole
    std::size_t position = 0;  // from 1; 0: the line as a whole
    std::string message;       // never holds an account number
    friend auto operator<=>(const Problem&, const Problem&) = default;
};

struct ParseOptions {
    // A return file may lack its file header or its file control; File::header is then a default one.
    bool file_records_required = true;
};

// Lines end with LF or CRLF, or there are no line ends at all. All problems, not merely the first.
[[nodiscard]] std::expected<File, std::vector<Problem>> parse(std::string_view bytes, const ParseOptions& options = {});

}  // namespace drawbridge::nacha
