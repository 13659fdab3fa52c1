#include "drawbridge/checks/issue_file.hpp"

#include <algorithm>
#include <charconv>

#include "date_format.hpp"
#include "drawbridge/text/csv.hpp"

namespace drawbridge::checks {

namespace {

std::string_view code_of(const IssueLayout& layout, CheckAction action) {
    switch (action) {
        case CheckAction::issue: return layout.issue_code;
        case CheckAction::void_check: return layout.void_code;
        case CheckAction::stop: return layout.stop_code;
    }
    return {};
}

std::string amount_text(const IssueLayout& layout, Money amount) {
    return layout.amount_format == AmountFormat::cents ? std::to_string(amount.cents()) : amount.to_string();
}

std::string value_of(const IssueColumn& column, const IssueLayout& layout, const AccountNumber& account,
                     const CheckIssue& check) {
    switch (column.kind) {
        case IssueColumnKind::code: return std::string(code_of(layout, check.action));
        case IssueColumnKind::account_number: return account.reveal();
        case IssueColumnKind::check_number: return std::to_string(check.check_number);
        case IssueColumnKind::issue_date: return format_date_as(check.check_date, layout.date_format);
        case IssueColumnKind::amount: return amount_text(layout, check.amount);
        case IssueColumnKind::payee_name:
            return check.payee_name.substr(0, column.width == 0 ? std::string::npos : column.width);
        case IssueColumnKind::payment_reference: return check.payment_reference;
        case IssueColumnKind::constant: return column.constant;
    }
    return {};
}

std::unexpected<Error> refuse(std::int64_t check_number, const std::string& why) {
    return fail(ErrorCode::invalid_input, "check " + std::to_string(check_number) + ": " + why);
}

// What no layout can express.
Result<void> check_values(const IssueLayout& layout, const CheckIssue& check) {
    const std::int64_t number = check.check_number;
    if (number <= 0) return refuse(number, "a check number must be 1 or more");
    if (check.amount <= Money()) return refuse(number, "the amount must be more than zero");
    if (!check.check_date.ok() || check.check_date.year() < std::chrono::year(2000) ||
        check.check_date.year() > std::chrono::year(2099)) {
        return refuse(number, "the date is no date from 2000 to 2099");
    }
    if (code_of(layout, check.action).empty()) {
        return refuse(number, "the layout has no code for this: name it under codes");
    }
    return {};
}

bool is_printable(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c >= 0x20 && c <= 0x7E; });
}

Result<std::vector<std::string>> row_of(const IssueLayout& layout, const AccountNumber& account,
                                        const CheckIssue& check) {
    std::vector<std::string> row;
    for (const IssueColumn& column : layout.columns) {
        std::string value = value_of(column, layout, account, check);
        if (!is_printable(value)) {
            return refuse(check.check_number, "column '" + column.header + "' has a character that banks do not read");
        }
        if (column.width != 0 && value.size() > column.width) {
            return refuse(check.check_number, "column '" + column.header + "' takes " + std::to_string(column.width) +
                                                  " characters, its value has " + std::to_string(value.size()));
        }
        row.push_back(std::move(value));
    }
    return row;
}

void append_row(std::string& out, const IssueLayout& layout, const std::vector<std::string>& row) {
    out += text::write_csv_row(row, layout.delimiter);
    if (layout.crlf) out.replace(out.size() - 1, 1, "\r\n");
}

std::vector<std::string> headers_of(const IssueLayout& layout) {
    std::vector<std::string> headers;
    headers.reserve(layout.columns.size());
    for (const IssueColumn& column : layout.columns)
        headers.push_back(column.header);
    return headers;
}

Result<std::int64_t> parse_number(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < 0) {
        return fail(ErrorCode::invalid_input, "not a number");
    }
    return value;
}

Result<Money> parse_amount(const IssueLayout& layout, std::string_view text) {
    if (layout.amount_format == AmountFormat::decimal) return Money::parse(text);
    const auto cents = parse_number(text);
    if (!cents) return std::unexpected(cents.error());
    return Money::from_cents(*cents);
}

// Puts one field into `check`; what is wrong, or empty.
std::string read_field(const IssueColumn& column, const IssueLayout& layout, const AccountNumber& account,
                       const std::string& text, CheckIssue& check) {
    switch (column.kind) {
        case IssueColumnKind::code:
            if (text == layout.issue_code)
                check.action = CheckAction::issue;
            else if (text == layout.void_code)
                check.action = CheckAction::void_check;
            else if (!text.empty() && text == layout.stop_code)
                check.action = CheckAction::stop;
            else
                return "none of the codes of the layout";
            return {};
        case IssueColumnKind::account_number: return text == account.reveal() ? "" : "another account";
        case IssueColumnKind::check_number:
            if (const auto number = parse_number(text))
                check.check_number = *number;
            else
                return "no check number";
            return {};
        case IssueColumnKind::issue_date:
            if (const auto date = parse_date_as(text, layout.date_format))
                check.check_date = *date;
            else
                return "no date in the form " + layout.date_format;
            return {};
        case IssueColumnKind::amount:
            if (const auto amount = parse_amount(layout, text))
                check.amount = *amount;
            else
                return amount.error().message;
            return {};
        case IssueColumnKind::payee_name: check.payee_name = text; return {};
        case IssueColumnKind::payment_reference: check.payment_reference = text; return {};
        case IssueColumnKind::constant: return text == column.constant ? "" : "must be '" + column.constant + "'";
    }
    return {};
}

std::unexpected<Error> refuse_line(int line, int column, const std::string& why) {
    return fail(ErrorCode::invalid_input,
                "line " + std::to_string(line) + ", column " + std::to_string(column) + ": " + why);
}

}  // namespace

Result<std::string> encode_issue(const IssueLayout& layout, const AccountNumber& account,
                                 const std::vector<CheckIssue>& checks) {
    std::string out;
    if (layout.header_line) append_row(out, layout, headers_of(layout));
    for (const CheckIssue& check : checks) {
        if (auto good = check_values(layout, check); !good) return std::unexpected(good.error());
        const auto row = row_of(layout, account, check);
        if (!row) return std::unexpected(row.error());
        append_row(out, layout, *row);
    }
    return out;
}

Result<std::vector<CheckIssue>> parse_issue(const IssueLayout& layout, const AccountNumber& account,
                                            std::string_view bytes) {
    const auto rows = text::read_csv(bytes, "check issue file", {.delimiter = layout.delimiter});
    if (!rows) return fail(ErrorCode::invalid_input, text::to_string(rows.error()));
    std::vector<CheckIssue> checks;
    bool at_header = layout.header_line;
    for (const text::CsvRow& row : *rows) {
        if (row.fields.size() != layout.columns.size()) {
            return refuse_line(
                row.line, 1,
                std::to_string(row.fields.size()) + " fields, the layout has " + std::to_string(layout.columns.size()));
        }
        if (at_header) {
            at_header = false;
            continue;
        }
        CheckIssue& check = checks.emplace_back();
        for (std::size_t i = 0; i < row.fields.size(); ++i) {
            const std::string fault = read_field(layout.columns[i], layout, account, row.fields[i].text, check);
            if (!fault.empty()) return refuse_line(row.line, row.fields[i].column, fault);
        }
    }
    return checks;
}

}  // namespace drawbridge::checks
