// Lists of the operators' API as CSV that people open: which columns, and cells that no spreadsheet takes for a
// formula. The commands and the console write the same.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace drawbridge::api {

struct CsvList {
    std::string_view path;        // of the route: "/draws"
    std::string_view rows;        // the member of its answer
    std::string_view parameters;  // those that the columns need: "fields=true"
    std::vector<std::string> (*header)();
    std::vector<std::string> (*cells)(const nlohmann::json& row);
};
extern const CsvList draws_csv, checks_csv, audit_csv;

// Empty for null, otherwise the number or the text.
[[nodiscard]] std::string csv_cell(const nlohmann::json& value);
// One row with its line end.
[[nodiscard]] std::string csv_row(std::vector<std::string> cells);

}  // namespace drawbridge::api
