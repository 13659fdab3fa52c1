#include "form_reader.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>

#include "drawbridge/text/date_pattern.hpp"

namespace drawbridge::checks {

namespace {

using text::YamlNode;

constexpr std::size_t widest = 2000;

struct ColumnName {
    std::string_view name;
    ColumnKind kind;
};
constexpr std::array column_names = {
    ColumnName{"code", ColumnKind::code},
    ColumnName{"account_number", ColumnKind::account_number},
    ColumnName{"check_number", ColumnKind::check_number},
    ColumnName{"issue_date", ColumnKind::issue_date},
    ColumnName{"paid_date", ColumnKind::paid_date},
    ColumnName{"amount", ColumnKind::amount},
    ColumnName{"payee_name", ColumnKind::payee_name},
    ColumnName{"payment_reference", ColumnKind::payment_reference},
    ColumnName{"file_date", ColumnKind::file_date},
    ColumnName{"count", ColumnKind::count},
    ColumnName{"total", ColumnKind::total},
    ColumnName{"constant", ColumnKind::constant},
    ColumnName{"blank", ColumnKind::blank},
    ColumnName{"any", ColumnKind::any},
};

bool is_date(ColumnKind kind) {
    return kind == ColumnKind::issue_date || kind == ColumnKind::paid_date || kind == ColumnKind::file_date;
}

bool contains(const std::vector<ColumnKind>& kinds, ColumnKind kind) {
    return std::ranges::find(kinds, kind) != kinds.end();
}

std::optional<std::size_t> position(std::string_view text) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 1 || value > widest) return std::nullopt;
    return value;
}

std::string range(std::size_t first, std::size_t last) {
    return first == last ? "position " + std::to_string(first)
                         : "positions " + std::to_string(first) + "-" + std::to_string(last);
}

std::size_t last_of(const Column& column) {
    return column.first + column.width - 1;
}

// The smallest useful width: five digits of a check number, a whole payment id, amounts below 10,000.00.
std::size_t min_width(const Column& column, const FileForm& form) {
    if (is_date(column.kind)) return form.date_format.size();
    if (column.kind == ColumnKind::constant) return column.constant.size();
    if (column.kind == ColumnKind::check_number) return 5;
    if (column.kind == ColumnKind::payment_reference) return 11;  // P0000000123
    if (column.kind == ColumnKind::amount || column.kind == ColumnKind::total) {
        return form.amount_format == AmountFormat::cents ? 6 : 7;
    }
    return 1;
}

}  // namespace

std::string_view name_of(ColumnKind kind) {
    return std::ranges::find(column_names, kind, &ColumnName::kind)->name;
}

bool is_number(ColumnKind kind) {
    return kind == ColumnKind::account_number || kind == ColumnKind::check_number || kind == ColumnKind::amount ||
           kind == ColumnKind::count || kind == ColumnKind::total;
}

bool FormReader::read(const YamlNode& root, FileForm& form) {
    form.name = yaml_.file();
    if (!yaml_.check_map(root,
                         {"format", "record_length", "header", "delimiter", "line_end", "date_format", "amount_format",
                          "codes", "columns", "header_record", "trailer_record"},
                         rules_.what)) {
        return false;
    }
    read_format(root, form);
    read_delimiter(root, form);
    read_forms(root, form);
    if (const auto* columns = yaml_.require(root, "columns", rules_.what)) {
        form.columns = read_columns(*columns, form, rules_.check_columns, "columns");
        for (const ColumnKind kind : rules_.required) {
            if (columns->kind() != YamlNode::Kind::sequence || columns->items().empty()) break;
            if (std::ranges::find(form.columns, kind, &Column::kind) != form.columns.end()) continue;
            yaml_.error(*columns, "no column has the " + std::string(name_of(kind)),
                        "add - {field: " + std::string(name_of(kind)) + "}");
        }
    }
    if (const auto* record = text::YamlReader::find(root, "header_record")) {
        form.header_record = read_columns(*record, form, rules_.control_columns, "header_record");
        if (form.header_line) {
            yaml_.error(*record, "header: true and header_record are mutually exclusive",
                        "header: true means a line with the column names");
        }
    }
    if (const auto* record = text::YamlReader::find(root, "trailer_record")) {
        form.trailer_record = read_columns(*record, form, rules_.control_columns, "trailer_record");
    }
    return true;
}

std::optional<std::string> FormReader::code(const YamlNode& codes, std::string_view key, const FileForm& form) {
    const auto* node = text::YamlReader::find(codes, key);
    if (node == nullptr) return std::nullopt;
    if (node->kind() != YamlNode::Kind::scalar) {
        yaml_.error(*node, std::string(key) + " must be text", "write \"\" if the code is blank");
        return std::nullopt;
    }
    const auto column = std::ranges::find(form.columns, ColumnKind::code, &Column::kind);
    if (column != form.columns.end() && column->width != 0 && node->scalar().size() > column->width) {
        yaml_.error(*node, "code '" + node->scalar() + "' does not fit the column of " + std::to_string(column->width),
                    "widen the column with field: code");
    }
    return node->scalar();
}

bool FormReader::second_of(const YamlNode& map, std::string_view key, std::string_view first, std::string_view second,
                           bool fallback) {
    const auto* node = text::YamlReader::find(map, key);
    if (node == nullptr) return fallback;
    const auto word = yaml_.text(*node, key);
    if (!word) return fallback;
    if (*word != first && *word != second) {
        yaml_.error(*node, "unknown " + std::string(key) + " '" + *word + "'",
                    "write " + std::string(first) + " or " + std::string(second));
        return fallback;
    }
    return *word == second;
}

void FormReader::read_format(const YamlNode& root, FileForm& form) {
    if (yaml_.require(root, "format", rules_.what) == nullptr) return;
    const bool fixed = second_of(root, "format", "csv", "fixed", /*fallback=*/false);
    form.format = fixed ? FileFormat::fixed : FileFormat::csv;
    const auto refuse = [&](std::string_view key, std::string_view format) {
        if (const auto* node = text::YamlReader::find(root, key)) {
            yaml_.error(*node, std::string(key) + " applies only to format: " + std::string(format), "remove it");
        }
    };
    if (!fixed) return refuse("record_length", "fixed");
    refuse("delimiter", "csv");
    refuse("header", "csv");
    if (const auto* length = yaml_.require(root, "record_length", "a layout of fixed columns")) {
        form.record_length = static_cast<std::size_t>(
            yaml_.integer_in(*length, "record_length", 1, static_cast<std::int64_t>(widest)).value_or(0));
    }
}

void FormReader::read_delimiter(const YamlNode& root, FileForm& form) {
    const auto* node = text::YamlReader::find(root, "delimiter");
    if (node == nullptr) return;
    const auto delimiter = yaml_.text(*node, "delimiter");
    if (!delimiter) return;
    if (*delimiter == "," || *delimiter == ";" || *delimiter == "|") {
        form.delimiter = delimiter->front();
    } else if (*delimiter == "tab") {
        form.delimiter = '\t';
    } else {
        yaml_.error(*node, "unknown delimiter '" + *delimiter + "'", R"(write ",", ";", "|" or tab)");
    }
}

void FormReader::read_forms(const YamlNode& root, FileForm& form) {
    if (const auto* node = text::YamlReader::find(root, "header")) {
        form.header_line = yaml_.boolean(*node, "header").value_or(false);
    }
    form.crlf = second_of(root, "line_end", "lf", "crlf", /*fallback=*/false);
    const bool cents = second_of(root, "amount_format", "decimal", "cents", /*fallback=*/false);
    form.amount_format = cents ? AmountFormat::cents : AmountFormat::decimal;
    const auto* node = text::YamlReader::find(root, "date_format");
    if (node == nullptr) return;
    const auto format = yaml_.text(*node, "date_format");
    if (format && !text::is_fixed_date_pattern(*format)) {
        yaml_.error(*node, "date_format '" + *format + "' is not a date format",
                    "use YYYY or YY, MM and DD once each, as in MMDDYY or YYYY-MM-DD");
    } else if (format) {
        form.date_format = *format;
    }
}

std::vector<Column> FormReader::read_columns(const YamlNode& columns, const FileForm& form,
                                             const std::vector<ColumnKind>& allowed, std::string_view what) {
    if (columns.kind() != YamlNode::Kind::sequence || columns.items().empty()) {
        yaml_.error(columns, std::string(what) + " must be a list", "write one {field: …} for each column");
        return {};
    }
    std::vector<Column> read;
    std::vector<const YamlNode*> nodes;
    for (const YamlNode& item : columns.items()) {
        auto column = read_column(item, form, allowed, what);
        if (!column) continue;
        check_width(item, form, *column);
        read.push_back(std::move(*column));
        nodes.push_back(&item);
    }
    // A column that could not be read leaves a gap that is not an error of its own.
    if (form.format == FileFormat::fixed && form.record_length > 0 && read.size() == columns.items().size()) {
        check_places(read, nodes, columns, form);
    }
    return read;
}

std::optional<Column> FormReader::read_column(const YamlNode& item, const FileForm& form,
                                              const std::vector<ColumnKind>& allowed, std::string_view what) {
    if (!yaml_.check_map(item, {"field", "header", "width", "value", "at", "pad", "align"}, "a column")) return {};
    const auto* field = yaml_.require(item, "field", "a column");
    if (field == nullptr) return std::nullopt;
    const auto name = yaml_.text(*field, "field");
    if (!name) return std::nullopt;
    std::vector<std::string_view> known;
    for (const ColumnName& column : column_names) {
        if (contains(allowed, column.kind)) known.push_back(column.name);
    }
    if (std::ranges::find(known, *name) == known.end()) {
        const std::string_view meant = text::closest_match(*name, known);
        const bool elsewhere = std::ranges::find(column_names, *name, &ColumnName::name) != column_names.end();
        yaml_.error(*field,
                    elsewhere ? "field '" + *name + "' is not allowed in " + std::string(what)
                              : "unknown field '" + *name + "'",
                    meant.empty() ? "" : "did you mean '" + std::string(meant) + "'?");
        return std::nullopt;
    }
    Column column{.kind = std::ranges::find(column_names, *name, &ColumnName::name)->kind,
                  .header = *name,
                  .width = 0,
                  .constant = {}};
    if (const auto* header = text::YamlReader::find(item, "header")) {
        column.header = yaml_.text(*header, "header").value_or("");
    }
    read_constant(item, column);
    read_filling(item, form, column);
    if (!read_place(item, form, column)) return std::nullopt;
    return column;
}

bool FormReader::read_place(const YamlNode& item, const FileForm& form, Column& column) {
    const auto* width = text::YamlReader::find(item, "width");
    const auto* at = text::YamlReader::find(item, "at");
    if (form.format == FileFormat::csv) {
        if (at != nullptr) yaml_.error(*at, "at applies only to format: fixed", "write width");
        if (width != nullptr) {
            column.width = static_cast<std::size_t>(yaml_.integer_in(*width, "width", 1, 500).value_or(0));
        }
        return true;
    }
    if (width != nullptr) yaml_.error(*width, "width applies only to format: csv", "write at: FIRST-LAST");
    at = yaml_.require(item, "at", "a column of a layout of fixed columns");
    if (at == nullptr) return false;
    const auto text = yaml_.text(*at, "at");
    if (!text) return false;
    const std::size_t dash = text->find('-');
    const auto first = position(std::string_view(*text).substr(0, dash));
    const auto last = dash == std::string::npos ? first : position(std::string_view(*text).substr(dash + 1));
    if (!first || !last || *last < *first) {
        yaml_.error(*at, "'" + *text + "' is not a range of positions",
                    "write it like 1-12, or 13 for a single position");
        return false;
    }
    column.first = *first;
    column.width = *last - *first + 1;
    return true;
}

void FormReader::read_filling(const YamlNode& item, const FileForm& form, Column& column) {
    if (form.format == FileFormat::csv) {
        for (const std::string_view key : {"pad", "align"}) {
            if (const auto* node = text::YamlReader::find(item, key)) {
                yaml_.error(*node, std::string(key) + " applies only to format: fixed", "remove it");
            }
        }
        return;
    }
    const bool number = is_number(column.kind);
    column.pad = second_of(item, "pad", "blank", "zero", number) ? '0' : ' ';
    column.justify_right = second_of(item, "align", "left", "right", number);
    if (column.pad == '0' && !column.justify_right) {
        yaml_.error(item, "zeros after the value would change it", "write align: right or pad: blank");
    }
}

void FormReader::read_constant(const YamlNode& item, Column& column) {
    const auto* value = text::YamlReader::find(item, "value");
    if (column.kind != ColumnKind::constant) {
        if (value != nullptr) yaml_.error(*value, "only a column with field: constant has a value", "remove it");
        return;
    }
    value = yaml_.require(item, "value", "a constant column");
    if (value != nullptr && value->kind() == YamlNode::Kind::scalar) column.constant = value->scalar();
}

void FormReader::check_width(const YamlNode& item, const FileForm& form, const Column& column) {
    const std::size_t least = min_width(column, form);
    if (column.width == 0 || column.width >= least) return;
    const auto* at = text::YamlReader::find(item, form.format == FileFormat::fixed ? "at" : "width");
    yaml_.error(
        at == nullptr ? item : *at,
        "the column of " + std::to_string(column.width) + " is too narrow for " + std::string(name_of(column.kind)),
        "it needs at least " + std::to_string(least));
}

// Every position of the record must belong to exactly one column.
void FormReader::check_places(const std::vector<Column>& columns, const std::vector<const YamlNode*>& nodes,
                              const YamlNode& list, const FileForm& form) {
    std::vector<std::size_t> order(columns.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return columns[i].first; });
    std::size_t next = 1;
    const auto gap = [&](const YamlNode& at, std::size_t last) {
        const std::string places = range(next, last);
        yaml_.error(at, "no column covers " + places,
                    "add - {field: blank, at: " + places.substr(places.find(' ') + 1) + "}");
    };
    for (const std::size_t i : order) {
        const Column& column = columns[i];
        const YamlNode& node = *nodes[i];
        if (column.first > next) gap(node, column.first - 1);
        if (column.first < next) {
            yaml_.error(node,
                        "another column already covers " + range(column.first, std::min(last_of(column), next - 1)),
                        "columns must not overlap");
        }
        if (last_of(column) > form.record_length) {
            yaml_.error(node, "the column ends after the record of " + std::to_string(form.record_length),
                        "correct at or record_length");
        }
        next = std::max(next, last_of(column) + 1);
    }
    if (next <= form.record_length) gap(list, form.record_length);
}

}  // namespace drawbridge::checks
