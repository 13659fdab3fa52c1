// Plain tables on stdout: aligned by what is seen (UTF-8), no colours, nothing in them that a terminal would obey.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "output.hpp"

namespace drawbridge::cli {

enum class Align { left, right };

struct Column {
    std::string header;
    Align align = Align::left;
};

class Table {
  public:
    explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
    void add(std::vector<std::string> cells);
    [[nodiscard]] bool empty() const { return rows_.empty(); }
    // With a header line. On a terminal the last column is cut to its width.
    void print() const;

  private:
    std::vector<Column> columns_;
    std::vector<std::vector<std::string>> rows_;
};

// How much fits: of the terminal, or as COLUMNS and LINES say; else no limit.
struct Screen {
    std::size_t columns = 0, lines = 0;
};
[[nodiscard]] Screen screen();
// At most so many columns, the rest cut off with "…".
[[nodiscard]] std::string cut(std::string_view text, std::size_t columns);

}  // namespace drawbridge::cli
