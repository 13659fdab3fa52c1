#include "table.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <limits>

namespace drawbridge::cli {
namespace {

bool starts_character(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}

std::size_t width(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(text, starts_character));
}

std::size_t terminal_width() {
    winsize size{};
    if (::isatty(STDOUT_FILENO) != 1 || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
        return std::numeric_limits<std::size_t>::max();
    }
    return size.ws_col;
}

std::string cut(std::string_view text, std::size_t room) {
    if (width(text) <= room) return std::string(text);
    if (room == 0) return {};
    std::size_t seen = 0;
    std::size_t end = 0;
    while (end < text.size()) {
        if (starts_character(text[end]) && ++seen == room) break;
        ++end;
    }
    return std::string(text.substr(0, end)) + "…";
}

std::string padded(const std::string& cell, Align align, std::size_t to) {
    const std::string blanks(to - std::min(to, width(cell)), ' ');
    return align == Align::right ? blanks + cell : cell + blanks;
}

}  // namespace

std::string printable(std::string_view text) {
    std::string shown(text);
    std::ranges::replace_if(shown, [](char c) { return (c >= 0 && c < ' ') || c == 0x7F; }, '?');
    return shown;
}

void Table::add(std::vector<std::string> cells) {
    cells.resize(columns_.size());
    for (auto& cell : cells)
        cell = printable(cell);
    rows_.push_back(std::move(cells));
}

void Table::print() const {
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        widths.push_back(width(columns_[i].header));
        for (const auto& row : rows_)
            widths[i] = std::max(widths[i], width(row[i]));
    }
    const std::size_t room = terminal_width();
    const auto print_row = [&](const auto& cell_of) {
        std::string line;
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            const bool last = i + 1 == columns_.size();
            if (!last) {
                line += padded(cell_of(i), columns_[i].align, widths[i]) + "  ";
            } else {
                const std::string cell =
                    columns_[i].align == Align::right ? padded(cell_of(i), Align::right, widths[i]) : cell_of(i);
                line += cut(cell, room - std::min(room, width(line)));
            }
        }
        line.erase(line.find_last_not_of(' ') + 1);
        print_line(line);
    };
    print_row([&](std::size_t i) -> const std::string& { return columns_[i].header; });
    for (const auto& row : rows_)
        print_row([&](std::size_t i) -> const std::string& { return row[i]; });
}

void print_line(std::string_view line) {
    std::fwrite(line.data(), 1, line.size(), stdout);
    std::fputc('\n', stdout);
}

void print_error(std::string_view line) {
    std::fflush(stdout);
    std::fwrite(line.data(), 1, line.size(), stderr);
    std::fputc('\n', stderr);
}

}  // namespace drawbridge::cli
