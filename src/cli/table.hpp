// Plain tables on stdout: aligned by what is seen (UTF-8), no colours, nothing in them that a terminal would obey.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace drawbridge::cli {

enum class Align { left, right };

struct Column {
    std::string header;
    Align align = Align::left;
};

// Control characters as "?".
[[nodiscard]] std::string printable(std::string_view text);

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

// One line on stdout.
void print_line(std::string_view line);
// One line on stderr.
void print_error(std::string_view line);

}  // namespace drawbridge::cli
