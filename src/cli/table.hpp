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
    bool whole = false;  // the last column, which is then never cut
};

class Table {
  public:
    explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
    void add(std::vector<std::string> cells);
    [[nodiscard]] bool empty() const { return rows_.empty(); }
    // Prints a header line first. On a terminal, a row has further lines for the columns that have no room, and the
    // last column is cut to the terminal's width, unless it is `whole`.
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
// Cuts the text to at most `columns` characters and ends it with "…". An amount is left out rather than cut.
[[nodiscard]] std::string cut(std::string_view text, std::size_t columns);
// Breaks a line at blanks into lines of at most `columns` characters, the further ones indented. A longer word stays
// whole.
[[nodiscard]] std::vector<std::string> broken(std::string_view text, std::size_t columns, std::size_t indent);
// Prints it so, in the width of the terminal.
void print_broken(std::string_view text, std::size_t indent);
// The same as broken(), but cuts a longer word.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, std::size_t columns, std::size_t indent);

}  // namespace drawbridge::cli
