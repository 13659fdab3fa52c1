#include "output.hpp"

#include <unistd.h>

#include <cstdio>
#include <utility>

#include "drawbridge/api/list_csv.hpp"
#include "drawbridge/text/sanitize.hpp"

namespace drawbridge::cli {
namespace {

using nlohmann::json;

// Captures lines instead of printing them. Null: print to stdout. Single-threaded.
std::vector<std::string>* capture = nullptr;

void write(std::FILE* to, std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), to);
}

// Calls `take` with each line, sanitized for the terminal.
template <class Take>
void each_line(std::string_view text, Take take) {
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        take(text::for_terminal(text.substr(at, end - at)));
        at = end + 1;
    }
}

}  // namespace

void print_line(std::string_view line) {
    each_line(line, [](std::string shown) {
        if (capture != nullptr) return capture->push_back(std::move(shown));
        write(stdout, shown + "\n");
    });
}

void print_error(std::string_view line) {
    std::fflush(stdout);
    each_line(line, [](const std::string& shown) { write(stderr, shown + "\n"); });
}

std::vector<std::string> lines_of(const std::function<void()>& show) {
    std::vector<std::string> lines;
    auto* const before = std::exchange(capture, &lines);
    show();
    capture = before;
    return lines;
}

std::string json_text(const json& value, int indent) {
    return text::for_json(value.dump(indent, ' ', false, json::error_handler_t::replace));
}

void print_json(const json& value) {
    print_json_part(json_text(value, 2) + "\n");
}

void print_json_part(std::string_view part) {
    write(stdout, text::for_json(part));
}

void print_csv_row(std::vector<std::string> cells) {
    write(stdout, api::csv_row(std::move(cells)));
}

bool flush_output() {
    return std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
}

void print_bytes(std::string_view bytes) {
    if (::isatty(STDOUT_FILENO) != 1) return write(stdout, bytes);
    std::string shown;
    each_line(bytes, [&](const std::string& line) { shown += line + "\n"; });
    shown.pop_back();  // the empty part after the last newline
    write(stdout, shown);
}

}  // namespace drawbridge::cli
