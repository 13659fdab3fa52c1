// A CSV of any size, some hundred kilobytes at a time, so that memory does not grow with the file. Private to this
// room.
#pragma once

#include <string_view>
#include <vector>

#include "drawbridge/statements/csv_profile.hpp"
#include "drawbridge/text/csv.hpp"
#include "drawbridge/text/diagnostic.hpp"

namespace drawbridge::statements {

class CsvPieces {
  public:
    CsvPieces(std::string_view bytes, std::string_view file_name, text::CsvOptions options, Encoding encoding,
              text::DiagnosticReport& report);

    // Leaves a line away, whatever stands in it. False: there is none.
    bool skip_line();
    [[nodiscard]] bool at_end() const { return bytes_.empty(); }
    // The rows of the next piece. What is wrong with it as CSV is reported, and is_broken() from then on.
    [[nodiscard]] std::vector<text::CsvRow> next();
    [[nodiscard]] bool is_broken() const { return broken_; }

  private:
    [[nodiscard]] std::size_t piece_length() const;
    void read(std::string_view piece, std::vector<text::CsvRow>& rows);

    std::string_view bytes_;
    std::string_view file_name_;
    text::CsvOptions options_;
    Encoding encoding_;
    text::DiagnosticReport& report_;
    int first_line_ = 1;
    bool broken_ = false;
};

}  // namespace drawbridge::statements
