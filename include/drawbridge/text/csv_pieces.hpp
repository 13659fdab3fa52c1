// A CSV of any size, some hundred kilobytes at a time, so that memory does not grow with the file. It knows rows, and
// nothing of what stands in them.
#pragma once

#include <cstddef>
#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/text/csv.hpp"
#include "drawbridge/text/diagnostic.hpp"

namespace drawbridge::text {

// For a file that is not UTF-8.
struct CsvDecoding {
    // Bytes → UTF-8, or where a byte stands that means nothing.
    std::function<std::expected<std::string, std::size_t>(std::string_view)> decode;
    std::string undecodable;  // how that is told
    std::string hint;
};

class CsvPieces {
  public:
    // What it is given outlives it.
    CsvPieces(std::string_view bytes, std::string_view file_name, CsvOptions options, DiagnosticReport& report,
              CsvDecoding decoding = {});

    // Leaves a line away, whatever stands in it. False: there is none.
    bool skip_line();
    [[nodiscard]] bool at_end() const { return bytes_.empty(); }
    // The rows of the next piece. What is wrong with it as CSV is reported, and is_broken() from then on.
    [[nodiscard]] std::vector<CsvRow> next();
    [[nodiscard]] bool is_broken() const { return broken_; }

  private:
    [[nodiscard]] std::size_t piece_length() const;
    void read(std::string_view piece, std::vector<CsvRow>& rows);

    std::string_view bytes_;
    std::string_view file_name_;
    CsvOptions options_;
    DiagnosticReport& report_;
    CsvDecoding decoding_;
    int first_line_ = 1;
    bool broken_ = false;
};

}  // namespace drawbridge::text
