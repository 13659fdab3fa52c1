#include "drawbridge/checks/issue_layout.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "date_format.hpp"
#include "drawbridge/text/yaml.hpp"

namespace drawbridge::checks {

namespace {

struct ColumnName {
    std::string_view name;
    IssueColumnKind kind;
};
constexpr std::array column_names = {
    ColumnName{"code", IssueColumnKind::code},
    ColumnName{"account_number", IssueColumnKind::account_number},
    ColumnName{"check_number", IssueColumnKind::check_number},
    ColumnName{"issue_date", IssueColumnKind::issue_date},
    ColumnName{"amount", IssueColumnKind::amount},
    ColumnName{"payee_name", IssueColumnKind::payee_name},
    ColumnName{"payment_reference", IssueColumnKind::payment_reference},
    ColumnName{"constant", IssueColumnKind::constant},
};

class LayoutReader {
  public:
    LayoutReader(std::string_view file_name, text::Diagnostics& diagnostics)
        : yaml_(std::string(file_name), diagnostics) {
        layout_.name = file_name;
    }

    void read(const text::YamlNode& root) {
        if (!yaml_.check_map(
                root, {"format", "header", "delimiter", "line_end", "date_format", "amount_format", "codes", "columns"},
                "a check issue layout")) {
            return;
        }
        read_format(root);
        read_delimiter(root);
        read_forms(root);
        if (const auto* codes = text::YamlReader::find(root, "codes")) read_codes(*codes);
        if (const auto* columns = yaml_.require(root, "columns", "a check issue layout")) read_columns(*columns);
    }

    [[nodiscard]] IssueLayout take() { return std::move(layout_); }

  private:
    // One of two words; nothing when absent or wrong (then reported).
    std::optional<bool> is_second(const text::YamlNode& map, std::string_view key, std::string_view first,
                                  std::string_view second) {
        const auto* node = text::YamlReader::find(map, key);
        if (node == nullptr) return std::nullopt;
        const auto word = yaml_.text(*node, key);
        if (!word) return std::nullopt;
        if (*word != first && *word != second) {
            yaml_.error(*node, "unknown " + std::string(key) + " '" + *word + "'",
                        "write " + std::string(first) + " or " + std::string(second));
            return std::nullopt;
        }
        return *word == second;
    }

    void read_format(const text::YamlNode& root) {
        const auto* node = yaml_.require(root, "format", "a check issue layout");
        if (node == nullptr) return;
        const auto format = yaml_.text(*node, "format");
        if (format && *format != "csv") yaml_.error(*node, "unknown format '" + *format + "'", "write csv");
    }

    void read_delimiter(const text::YamlNode& root) {
        const auto* node = text::YamlReader::find(root, "delimiter");
        if (node == nullptr) return;
        const auto delimiter = yaml_.text(*node, "delimiter");
        if (!delimiter) return;
        if (*delimiter == ",")
            layout_.delimiter = ',';
        else if (*delimiter == ";")
            layout_.delimiter = ';';
        else if (*delimiter == "|")
            layout_.delimiter = '|';
        else if (*delimiter == "tab")
            layout_.delimiter = '\t';
        else
            yaml_.error(*node, "unknown delimiter '" + *delimiter + "'", R"(write ",", ";", "|" or tab)");
    }

    void read_forms(const text::YamlNode& root) {
        if (const auto* node = text::YamlReader::find(root, "header")) {
            layout_.header_line = yaml_.boolean(*node, "header").value_or(false);
        }
        layout_.crlf = is_second(root, "line_end", "lf", "crlf").value_or(false);
        const bool cents = is_second(root, "amount_format", "decimal", "cents").value_or(false);
        layout_.amount_format = cents ? AmountFormat::cents : AmountFormat::decimal;
        if (const auto* node = text::YamlReader::find(root, "date_format")) {
            const auto format = yaml_.text(*node, "date_format");
            if (format && !is_date_format(*format)) {
                yaml_.error(*node, "date_format '" + *format + "' is no date format",
                            "write year, month and day once each, of YYYY, YY, MM and DD, as in MMDDYY or YYYY-MM-DD");
            } else if (format) {
                layout_.date_format = *format;
            }
        }
    }

    void read_codes(const text::YamlNode& codes) {
        if (!yaml_.check_map(codes, {"issue", "void", "stop"}, "codes")) return;
        const auto read = [&](std::string_view key, std::string& into) {
            const auto* node = text::YamlReader::find(codes, key);
            if (node == nullptr) return;
            if (auto code = yaml_.text(*node, key)) into = std::move(*code);
        };
        read("issue", layout_.issue_code);
        read("void", layout_.void_code);
        read("stop", layout_.stop_code);
        if (layout_.issue_code == layout_.void_code || layout_.issue_code == layout_.stop_code ||
            layout_.void_code == layout_.stop_code) {
            yaml_.error(codes, "the codes for issue, void and stop must differ", "write those that the bank names");
        }
    }

    void read_columns(const text::YamlNode& columns) {
        if (columns.kind() != text::YamlNode::Kind::sequence || columns.items().empty()) {
            return yaml_.error(columns, "columns must be a list", "write one {field: …} for each column");
        }
        for (const text::YamlNode& item : columns.items())
            read_column(item);
        // Without these four a bank cannot tell which check for how much is meant.
        for (const IssueColumnKind kind : {IssueColumnKind::account_number, IssueColumnKind::check_number,
                                           IssueColumnKind::issue_date, IssueColumnKind::amount}) {
            if (std::ranges::find(layout_.columns, kind, &IssueColumn::kind) != layout_.columns.end()) continue;
            const auto* name = std::ranges::find(column_names, kind, &ColumnName::kind);
            yaml_.error(columns, "no column holds the " + std::string(name->name),
                        "add - {field: " + std::string(name->name) + "}");
        }
    }

    void read_column(const text::YamlNode& item) {
        if (!yaml_.check_map(item, {"field", "header", "width", "value"}, "a column")) return;
        const auto* field = yaml_.require(item, "field", "a column");
        if (field == nullptr) return;
        const auto name = yaml_.text(*field, "field");
        if (!name) return;
        const auto* found = std::ranges::find(column_names, *name, &ColumnName::name);
        if (found == column_names.end()) return report_unknown_field(*field, *name);
        IssueColumn column{.kind = found->kind, .header = *name, .width = 0, .constant = {}};
        if (const auto* header = text::YamlReader::find(item, "header")) {
            column.header = yaml_.text(*header, "header").value_or("");
        }
        if (const auto* width = text::YamlReader::find(item, "width")) {
            column.width = static_cast<std::size_t>(yaml_.integer_in(*width, "width", 1, 500).value_or(0));
        }
        const auto* value = text::YamlReader::find(item, "value");
        if (value != nullptr && column.kind != IssueColumnKind::constant) {
            yaml_.error(*value, "only a column with field: constant has a value", "remove it");
        } else if (column.kind == IssueColumnKind::constant) {
            value = yaml_.require(item, "value", "a constant column");
            if (value != nullptr && value->kind() == text::YamlNode::Kind::scalar) column.constant = value->scalar();
        }
        layout_.columns.push_back(std::move(column));
    }

    void report_unknown_field(const text::YamlNode& at, const std::string& name) {
        std::vector<std::string_view> known;
        known.reserve(column_names.size());
        for (const ColumnName& column : column_names)
            known.push_back(column.name);
        const std::string_view meant = text::closest(name, known);
        yaml_.error(at, "unknown field '" + name + "'",
                    meant.empty() ? "" : "did you mean '" + std::string(meant) + "'?");
    }

    text::YamlReader yaml_;
    IssueLayout layout_;
};

}  // namespace

std::expected<IssueLayout, text::Diagnostics> read_issue_layout(std::string_view yaml, std::string_view file_name) {
    const auto root = text::parse_yaml(yaml, file_name);
    if (!root) return std::unexpected(root.error());
    text::Diagnostics diagnostics;
    LayoutReader reader(file_name, diagnostics);
    reader.read(*root);
    if (!diagnostics.empty()) return std::unexpected(std::move(diagnostics));
    return reader.take();
}

}  // namespace drawbridge::checks
