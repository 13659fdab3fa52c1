#include "table.hpp"
#include "drawbridge/text/sanitize.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <utility>

namespace drawbridge::cli {
namespace {

bool starts_character(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}

std::size_t width(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(text, starts_character));
}

constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

std::size_t from_environment(const char* variable) {
    const char* text = std::getenv(variable);
    const std::string_view value(text != nullptr ? text : "");
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    return error == std::errc() && end == value.data() + value.size() && number > 0 ? number : no_limit;
}

std::string padded(const std::string& cell, Align align, std::size_t to) {
    const std::string blanks(to - std::min(to, width(cell)), ' ');
    return align == Align::right ? blanks + cell : cell + blanks;
}

// A narrower last column is printed below its row.
constexpr std::size_t fewest_columns_of_last = 24;

}  // namespace

Screen screen() {
    winsize size{};
    if (::isatty(STDOUT_FILENO) == 1 && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        return {size.ws_col, size.ws_row > 0 ? size.ws_row : no_limit};
    }
    return {from_environment("COLUMNS"), from_environment("LINES")};
}

std::string cut(std::string_view text, std::size_t columns) {
    if (width(text) <= columns) return std::string(text);
    if (columns == 0) return {};
    std::size_t seen = 0;
    std::size_t end = 0;
    while (end < text.size()) {
        if (starts_character(text[end]) && ++seen == columns) break;
        ++end;
    }
    return std::string(text.substr(0, end)) + "…";
}

void Table::add(std::vector<std::string> cells) {
    cells.resize(columns_.size());
    for (auto& cell : cells)
        cell = text::for_terminal(cell);
    rows_.push_back(std::move(cells));
}

void Table::print() const {
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        widths.push_back(width(columns_[i].header));
        for (const auto& row : rows_)
            widths[i] = std::max(widths[i], width(row[i]));
    }
    const std::size_t available = screen().columns;
    const std::size_t before_last = std::accumulate(widths.begin(), widths.end() - 1, 2 * (widths.size() - 1));
    const std::size_t room = available - std::min(available, before_last);
    const bool below = room < fewest_columns_of_last && widths.back() > room;
    const auto print_row = [&](const auto& cell_of) {
        std::string line;
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            const bool last = i + 1 == columns_.size();
            if (last && below) {
                if (!cell_of(i).empty())
                    line += "\n    " + cut(cell_of(i), available - std::min<std::size_t>(available, 4));
            } else if (!last) {
                line += padded(cell_of(i), columns_[i].align, widths[i]) + "  ";
            } else {
                const std::string cell =
                    columns_[i].align == Align::right ? padded(cell_of(i), Align::right, widths[i]) : cell_of(i);
                line += cut(cell, available - std::min(available, width(line)));
            }
        }
        line.erase(line.find_last_not_of(' ') + 1);
        print_line(line);
    };
    print_row([&](std::size_t i) -> const std::string& { return columns_[i].header; });
    for (const auto& row : rows_)
        print_row([&](std::size_t i) -> const std::string& { return row[i]; });
}

}  // namespace drawbridge::cli
