// Encodes checks into the bytes of an issue file.
#include <algorithm>
#include <string>
#include <utility>

#include "drawbridge/checks/issue_file.hpp"
#include "drawbridge/text/csv.hpp"
#include "drawbridge/text/date_pattern.hpp"

namespace drawbridge::checks {

namespace {

const std::string* code_of(const IssueLayout& layout, CheckAction action) {
    const auto in = [](const std::optional<std::string>& code) { return code ? &*code : nullptr; };
    switch (action) {
        case CheckAction::issue: return &layout.issue_code;
        case CheckAction::void_check: return in(layout.void_code);
        case CheckAction::stop: return in(layout.stop_code);
    }
    return nullptr;
}

std::string amount_text(const IssueLayout& layout, Money amount) {
    return layout.amount_format == AmountFormat::cents ? std::to_string(amount.cents()) : amount.to_string();
}

// The source of a line: a check, or the header or trailer.
struct Line {
    std::string who;  // for an error: "check 10001", "the header"
    const CheckIssue* check = nullptr;
    BusinessDate file_date;
    std::size_t count = 0;
    Money total;
};

std::string value_of(const Column& column, const IssueLayout& layout, const AccountNumber& account, const Line& line) {
    switch (column.kind) {
        case ColumnKind::code: return *code_of(layout, line.check->action);
        case ColumnKind::account_number: return account.reveal();
        case ColumnKind::check_number: return std::to_string(line.check->check_number);
        case ColumnKind::issue_date: return text::format_date_as(line.check->check_date, layout.date_format);
        case ColumnKind::amount: return amount_text(layout, line.check->amount);
        case ColumnKind::payee_name:
            return line.check->payee_name.substr(0, column.width == 0 ? std::string::npos : column.width);
        case ColumnKind::payment_reference: return line.check->payment_reference;
        case ColumnKind::file_date: return text::format_date_as(line.file_date, layout.date_format);
        case ColumnKind::count: return std::to_string(line.count);
        case ColumnKind::total: return amount_text(layout, line.total);
        case ColumnKind::constant: return column.constant;
        case ColumnKind::blank:
        case ColumnKind::any:
        case ColumnKind::paid_date: return {};
    }
    return {};
}

std::unexpected<Error> refuse(const std::string& who, const std::string& why) {
    return fail(ErrorCode::invalid_input, who + ": " + why);
}

// Rejects values that no layout can express.
Result<void> check_values(const IssueLayout& layout, const CheckIssue& check) {
    const std::string who = "check " + std::to_string(check.check_number);
    if (check.check_number <= 0) return refuse(who, "a check number must be 1 or more");
    if (check.amount <= Money()) return refuse(who, "the amount must be greater than zero");
    if (!is_date_of_files(check.check_date)) return refuse(who, "the date must be from 2000 to 2099");
    if (!can_express(layout, check.action)) {
        return refuse(who, "the layout " + layout.name + " has no code for a " + std::string(to_string(check.action)) +
                               ": add it under codes if the bank accepts it");
    }
    return {};
}

bool is_printable(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c >= 0x20 && c <= 0x7E; });
}

Result<std::vector<std::string>> values_of(const std::vector<Column>& columns, const IssueLayout& layout,
                                           const AccountNumber& account, const Line& line) {
    std::vector<std::string> values;
    values.reserve(columns.size());
    for (const Column& column : columns) {
        std::string value = value_of(column, layout, account, line);
        if (!is_printable(value)) {
            return refuse(line.who, "column '" + column.header + "' has a character that banks do not accept");
        }
        if (column.width != 0 && value.size() > column.width) {
            return refuse(line.who, "column '" + column.header + "' allows " + std::to_string(column.width) +
                                        " characters, but its value has " + std::to_string(value.size()));
        }
        values.push_back(std::move(value));
    }
    return values;
}

std::string fixed_line(const std::vector<Column>& columns, const std::vector<std::string>& values,
                       std::size_t record_length) {
    std::string line(record_length, ' ');
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const Column& column = columns[i];
        std::string field = values[i];
        // An empty value is blank, never zeros.
        const char pad = field.empty() ? ' ' : column.pad;
        field.insert(column.justify_right ? 0 : field.size(), column.width - field.size(), pad);
        line.replace(column.first - 1, column.width, field);
    }
    return line + "\n";
}

Result<void> append_line(std::string& out, const std::vector<Column>& columns, const IssueLayout& layout,
                         const AccountNumber& account, const Line& line) {
    const auto values = values_of(columns, layout, account, line);
    if (!values) return std::unexpected(values.error());
    out += layout.format == FileFormat::fixed ? fixed_line(columns, *values, layout.record_length)
                                              : text::write_csv_row(*values, layout.delimiter);
    if (layout.crlf) out.replace(out.size() - 1, 1, "\r\n");
    return {};
}

void append_names(std::string& out, const IssueLayout& layout) {
    std::vector<std::string> names;
    names.reserve(layout.columns.size());
    for (const Column& column : layout.columns)
        names.push_back(column.header);
    out += text::write_csv_row(names, layout.delimiter);
    if (layout.crlf) out.replace(out.size() - 1, 1, "\r\n");
}

}  // namespace

std::string_view to_string(CheckAction action) {
    switch (action) {
        case CheckAction::issue: return "issue";
        case CheckAction::void_check: return "void";
        case CheckAction::stop: return "stop";
    }
    return "issue";
}

bool can_express(const IssueLayout& layout, CheckAction action) {
    if (action == CheckAction::issue) return true;
    const bool has_column = std::ranges::find(layout.columns, ColumnKind::code, &Column::kind) != layout.columns.end();
    return has_column && code_of(layout, action) != nullptr;
}

Result<std::string> encode_issue(const IssueLayout& layout, const AccountNumber& account, BusinessDate file_date,
                                 const std::vector<CheckIssue>& checks) {
    std::string out;
    Line control{.who = "the header", .check = nullptr, .file_date = file_date, .count = checks.size(), .total = {}};
    for (const CheckIssue& check : checks)
        control.total += check.amount;
    if (!is_date_of_files(file_date)) return refuse(control.who, "the file date must be from 2000 to 2099");
    if (layout.header_line) append_names(out, layout);
    if (!layout.header_record.empty()) {
        if (auto good = append_line(out, layout.header_record, layout, account, control); !good) {
            return std::unexpected(good.error());
        }
    }
    for (const CheckIssue& check : checks) {
        if (auto good = check_values(layout, check); !good) return std::unexpected(good.error());
        const Line line{.who = "check " + std::to_string(check.check_number),
                        .check = &check,
                        .file_date = file_date,
                        .count = 0,
                        .total = {}};
        if (auto good = append_line(out, layout.columns, layout, account, line); !good) {
            return std::unexpected(good.error());
        }
    }
    control.who = "the trailer";
    if (!layout.trailer_record.empty()) {
        if (auto good = append_line(out, layout.trailer_record, layout, account, control); !good) {
            return std::unexpected(good.error());
        }
    }
    return out;
}

}  // namespace drawbridge::checks
