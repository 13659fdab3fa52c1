// Plain-text tables on stdout: aligned by visible characters (UTF-8), no colors, no terminal control characters.
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
    // Prints a header line first. On a terminal, cuts the last column to the terminal's width; where it has no room, it
    // is on a line of its own.
    void print() const;

  private:
    std::vector<Column> columns_;
    std::vector<std::vector<std::string>> rows_;
};

// The size of the terminal, or COLUMNS and LINES. Zero: no limit.
struct Screen {
    std::size_t columns = 0, lines = 0;
};
[[nodiscard]] Screen screen();
// Cuts the text to at most `columns` characters and ends it with "…".
[[nodiscard]] std::string cut(std::string_view text, std::size_t columns);

}  // namespace drawbridge::cli
