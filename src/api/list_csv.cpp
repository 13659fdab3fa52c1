#include "drawbridge/api/list_csv.hpp"

#include <iterator>
#include <utility>

#include "drawbridge/domain/money.hpp"
#include "drawbridge/text/csv.hpp"
#include "drawbridge/text/sanitize.hpp"

namespace drawbridge::api {
namespace {

using nlohmann::json;
using Cells = std::vector<std::string>;

constexpr std::string_view draw_columns[] = {"id",          "state",     "status", "amount",
                                             "workflow_id", "case_name", "since",  "why"};
constexpr std::string_view draw_field_columns[] = {"caseId", "requestedBy", "requestedDate", "description",
                                                   "fieldA", "fieldB",      "fieldC",        "fieldD",
                                                   "fieldE", "modifiedDate"};
constexpr std::string_view check_columns[] = {"number", "last_number", "state",    "check_date",
                                              "amount", "payee_name",  "draw_id",  "payment_id",
                                              "file",   "settled_on",  "replaces", "replaced_by"};
constexpr std::string_view check_order_columns[] = {"action", "ordered_at", "ordered_by",
                                                    "reason", "file",       "transmitted_at"};
constexpr std::string_view audit_columns[] = {"seq",    "at",      "actor",      "action", "subject",
                                              "detail", "draw_id", "payment_id", "file"};

constexpr std::string_view line_columns[] = {"line",     "outcome",     "says",      "payment_reference", "amount",
                                             "currency", "date",        "bank_code", "payee_name",        "payment_id",
                                             "draw_id",  "reason_code", "detail"};

// Empty where the row lacks it.
std::string cell_of(const json& row, std::string_view column) {
    const auto found = row.is_object() ? row.find(column) : row.end();
    return found == row.end() ? std::string() : csv_cell(*found);
}

const json& part_of(const json& row, std::string_view key) {
    static const json nothing = nullptr;
    const auto found = row.find(key);
    return found == row.end() ? nothing : *found;
}

Cells remark_row(std::string outcome, std::string detail) {
    Cells cells(std::size(line_columns));
    cells[1] = std::move(outcome);
    cells.back() = std::move(detail);
    return cells;
}
std::vector<Cells> why_refused(const json& answer) {
    std::vector<Cells> rows;
    const json& problems = part_of(answer, "problems");
    for (const auto& problem : problems.is_array() ? problems : json::array())
        rows.push_back(remark_row("refused", csv_cell(problem)));
    const json& left_out = part_of(answer, "lines_left_out");
    if (left_out.is_number_integer() && left_out != 0)
        rows.push_back(remark_row("left out", left_out.dump() + " further lines are not in this report"));
    return rows;
}

}  // namespace

const CsvList draws_csv{"/draws", "draws", "fields=true", draw_columns, "fields", "", draw_field_columns};
const CsvList checks_csv{"/checks", "checks", "", check_columns, "order", "order_", check_order_columns};
const CsvList audit_csv{"/audit", "audit", "", audit_columns, "", "", {}};
const CsvList bank_file_csv{"/confirmations", "lines", "", line_columns, "", "", {}, why_refused};

Cells CsvList::header() const {
    Cells header(columns.begin(), columns.end());
    for (const auto column : part_columns)
        header.push_back(std::string(part_prefix) + std::string(column));
    return header;
}

Cells CsvList::cells(const json& row) const {
    Cells cells;
    for (const auto column : columns)
        cells.push_back(cell_of(row, column));
    for (const auto column : part_columns)
        cells.push_back(cell_of(part_of(row, part), column));
    return cells;
}

std::string csv_begin(const CsvList& list, const json& answer) {
    std::string begin = csv_row(list.header());
    if (list.first_rows == nullptr || !answer.is_object()) return begin;
    for (auto& row : list.first_rows(answer))
        begin += csv_row(std::move(row));
    return begin;
}

std::string csv_cell(const json& value) {
    if (value.is_null()) return {};
    return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string csv_row(std::vector<std::string> cells) {
    for (auto& cell : cells) {
        // A negative amount begins with '-' but is not a formula.
        if (!(cell.starts_with('-') && Money::parse(cell.substr(1)))) cell = text::for_csv(cell);
    }
    return text::write_csv_row(cells);
}

}  // namespace drawbridge::api
