// Lists of the operators' API as CSV that people open: which columns, and cells that no spreadsheet takes for a
// formula. The commands and the console write the same.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace drawbridge::api {

struct CsvList {
    std::string_view path;                      // of the route: "/draws"
    std::string_view rows;                      // the member of its answer
    std::string_view parameters;                // those that the columns need: "fields=true"
    std::span<const std::string_view> columns;  // members of a row
    // Columns behind these: members of one member of a row. In the header, their names begin with `part_prefix`.
    std::string_view part, part_prefix;
    std::span<const std::string_view> part_columns;
    // Rows before those of the list, of its first answer; null: none.
    std::vector<std::vector<std::string>> (*first_rows)(const nlohmann::json& answer) = nullptr;

    [[nodiscard]] std::vector<std::string> header() const;
    [[nodiscard]] std::vector<std::string> cells(const nlohmann::json& row) const;
};
// `bank_file_csv` is of a confirmation file that was taken, or of the preview of one: why it is refused, then each
// line.
extern const CsvList draws_csv, checks_csv, audit_csv, bank_file_csv;

// The header and `first_rows`.
[[nodiscard]] std::string csv_begin(const CsvList& list, const nlohmann::json& answer);

// Empty for null, otherwise the number or the text.
[[nodiscard]] std::string csv_cell(const nlohmann::json& value);
// One row with its line end.
[[nodiscard]] std::string csv_row(std::vector<std::string> cells);

}  // namespace drawbridge::api
