// Reads a CSV file of any size in chunks of some ten kilobytes, so that memory does not grow with the file. It
// knows rows, not the meaning of their fields.
#pragma once

#include <cstddef>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/text/csv.hpp"
#include "drawbridge/text/diagnostic.hpp"

namespace drawbridge::text {

// For a file in another encoding than UTF-8.
struct CsvDecoding {
    // Converts bytes to UTF-8, or returns the offset of the first byte that has no meaning.
    std::function<std::expected<std::string, std::size_t>(std::string_view)> decode;
    std::string undecodable;  // the error message
    std::string hint;
};

class CsvChunks {
  public:
    // Every reference must outlive the reader.
    CsvChunks(std::string_view bytes, std::string_view file_name, CsvOptions options, DiagnosticReport& report,
              CsvDecoding decoding = {});

    // Skips one line with any content, and returns the rows in it; none if it is not CSV. nullopt: there was no line.
    std::optional<std::vector<CsvRow>> skip_line();
    [[nodiscard]] bool at_end() const { return bytes_.empty(); }
    // The rows of the next chunk. Reports CSV errors in it; is_broken() is true from then on.
    [[nodiscard]] std::vector<CsvRow> next();
    [[nodiscard]] bool is_broken() const { return broken_; }

  private:
    [[nodiscard]] std::size_t chunk_length() const;
    void read(std::string_view chunk, std::vector<CsvRow>& rows);

    std::string_view bytes_;
    std::string_view file_name_;
    CsvOptions options_;
    DiagnosticReport& report_;
    CsvDecoding decoding_;
    char line_end_ = '\n';  // '\r' in a file of an old Mac
    int first_line_ = 1;
    bool broken_ = false;
};

}  // namespace drawbridge::text
