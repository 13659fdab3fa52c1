#include "table.hpp"
#include "drawbridge/text/sanitize.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>
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

// A narrower last column is printed on a line of its own.
constexpr std::size_t min_columns_of_last = 24;
constexpr std::size_t indent_of_further_lines = 4;

// An amount is not cut: the cut goes before it.
std::size_t before_amount(std::string_view text, std::size_t end) {
    if (end == text.size() || text[end] == ' ') return end;
    const std::size_t blank = text.substr(0, end).rfind(' ');
    const std::size_t begin = blank == std::string_view::npos ? 0 : blank + 1;
    const auto word = text.substr(begin, text.find(' ', end) - begin);
    return word.contains('$') ? begin : end;
}

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
    return std::string(text.substr(0, before_amount(text, end))) + "…";
}

std::vector<std::string> broken(std::string_view text, std::size_t columns, std::size_t indent) {
    std::vector<std::string> lines;
    std::string line;
    std::size_t words = 0;  // in this line
    for (std::size_t at = 0; at < text.size() && width(text) > columns;) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const auto word = text.substr(at, end - at);
        if (words > 0 && width(line) + 1 + width(word) > columns) {
            lines.push_back(line);
            line = std::string(indent, ' ');
            words = 0;
        } else if (at > 0) {
            line += ' ';
        }
        line += word;
        if (!word.empty()) ++words;
        at = end + 1;
    }
    lines.push_back(lines.empty() && words == 0 ? std::string(text) : line);
    return lines;
}

void print_broken(std::string_view text, std::size_t indent) {
    for (const auto& line : broken(text, screen().columns, indent))
        print_line(line);
}

std::vector<std::string> wrapped(std::string_view text, std::size_t columns, std::size_t indent) {
    auto lines = broken(text, columns, indent);
    for (auto& line : lines)
        line = cut(line, columns);
    return lines;
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
    const auto room_after = [&](std::size_t used) { return available - std::min(available, used); };
    std::vector<bool> begins_line(columns_.size());
    for (std::size_t i = 1, used = widths[0]; i < columns_.size(); ++i) {
        const bool may_be_cut = i + 1 == columns_.size() && columns_[i].align == Align::left && !columns_[i].whole &&
                                room_after(used + 2) >= min_columns_of_last;
        begins_line[i] = widths[i] > room_after(used + 2) && !may_be_cut;
        used = (begins_line[i] ? indent_of_further_lines : used + 2) + widths[i];
    }
    const auto print_row = [&](const auto& cell_of) {
        std::string line, lines;
        const auto end_line = [&] {
            line.erase(line.find_last_not_of(' ') + 1);
            if (!line.empty()) lines += (lines.empty() ? "" : "\n") + line;
        };
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            const bool last = i + 1 == columns_.size();
            if (begins_line[i]) {
                end_line();
                line = std::string(indent_of_further_lines, ' ');
            } else if (i > 0) {
                line += "  ";
            }
            const std::string cell =
                last && columns_[i].align == Align::left
                    ? cell_of(i)
                    : padded(cell_of(i), columns_[i].align, begins_line[i] && last ? 0 : widths[i]);
            line += last && !columns_[i].whole ? cut(cell, room_after(width(line))) : cell;
        }
        end_line();
        print_line(lines);
    };
    print_row([&](std::size_t i) -> const std::string& { return columns_[i].header; });
    for (const auto& row : rows_)
        print_row([&](std::size_t i) -> const std::string& { return row[i]; });
}

}  // namespace drawbridge::cli
