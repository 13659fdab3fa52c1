// Everything that a sub-command puts out, by kind. Each function passes text through the sanitizer of its kind, so that
// no caller can forget: there is no other way to standard output.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace drawbridge::cli {

// A line on stdout, or several.
void print_line(std::string_view line);
// A line on stderr, or several.
void print_error(std::string_view line);
// What print_line() puts on stdout while `show` runs, one element a line.
[[nodiscard]] std::vector<std::string> lines_of(const std::function<void()>& show);

// JSON as a text; bytes that are not UTF-8 are replaced.
[[nodiscard]] std::string json_text(const nlohmann::json& value, int indent);
// On stdout, indented.
void print_json(const nlohmann::json& value);
// A part of a JSON text, which is whole only together with the other parts.
void print_json_part(std::string_view part);

// A cell of a CSV for people: nothing for null; numbers as they are, text as text.
[[nodiscard]] std::string csv_cell(const nlohmann::json& value);
// A row of a CSV for people.
void print_csv_row(std::vector<std::string> cells);

// Bytes that must stay what they are, in a file or a pipe. On a terminal they are shown as text.
void print_bytes(std::string_view bytes);

}  // namespace drawbridge::cli
