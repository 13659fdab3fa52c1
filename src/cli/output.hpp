// All output of the sub-commands. Each function runs its text through the sanitizer for that kind of output. Nothing
// else writes to standard output.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace drawbridge::cli {

// One or more lines on stdout.
void print_line(std::string_view line);
// One or more lines on stderr.
void print_error(std::string_view line);
// The lines that print_line() prints while `show` runs.
[[nodiscard]] std::vector<std::string> lines_of(const std::function<void()>& show);

// JSON as text. Bytes that are not UTF-8 are replaced.
[[nodiscard]] std::string json_text(const nlohmann::json& value, int indent);
// On stdout, indented.
void print_json(const nlohmann::json& value);
// One part of a JSON text that is printed in several parts.
void print_json_part(std::string_view part);

// A CSV row.
void print_csv_row(std::vector<std::string> cells);

// False: standard output lost a part, for example because its disk is full.
[[nodiscard]] bool flush_output();

// Raw bytes for a file or a pipe. On a terminal they are sanitized as text.
void print_bytes(std::string_view bytes);

}  // namespace drawbridge::cli
