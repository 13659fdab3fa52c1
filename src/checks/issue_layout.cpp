#include "drawbridge/checks/issue_layout.hpp"

#include <algorithm>
#include <utility>

#include "drawbridge/checks/issue_file.hpp"
#include "form_reader.hpp"

namespace drawbridge::checks {

namespace {

const FormRules& issue_rules() {
    using enum ColumnKind;
    // Without the four required columns, a bank cannot tell which check is meant and for how much.
    static const FormRules rules{.what = "a check issue layout",
                                 .check_columns = {code, account_number, check_number, issue_date, amount, payee_name,
                                                   payment_reference, constant, blank},
                                 .required = {account_number, check_number, issue_date, amount},
                                 .control_columns = {account_number, file_date, count, total, constant, blank}};
    return rules;
}

// If any codes are listed, there are no others; without a list, they are I and C.
void read_codes(FormReader& reader, const text::YamlNode& codes, IssueLayout& layout) {
    if (!reader.yaml().check_map(codes, {"issue", "void", "stop"}, "codes")) return;
    layout.issue_code = reader.code(codes, "issue", layout).value_or("I");
    layout.void_code = reader.code(codes, "void", layout);
    layout.stop_code = reader.code(codes, "stop", layout);
    if (layout.void_code == layout.issue_code || layout.stop_code == layout.issue_code ||
        (layout.void_code && layout.void_code == layout.stop_code)) {
        reader.yaml().error(codes, "the codes for issue, void and stop must differ",
                            "use the codes that the bank specifies");
    }
}

constexpr std::size_t max_digits = 15;

std::size_t digits_of_amount(const FileForm& form, const Column& column) {
    const std::size_t point = form.amount_format == AmountFormat::decimal ? 1 : 0;
    return column.width == 0 ? max_digits : std::min(max_digits, column.width - point);
}

std::int64_t largest_number(std::size_t digits) {
    std::int64_t number = 0;
    for (; digits > 0; --digits)
        number = number * 10 + 9;
    return number;
}

}  // namespace

std::expected<IssueLayout, text::Diagnostics> read_issue_layout(std::string_view yaml, std::string_view file_name) {
    const auto root = text::parse_yaml(yaml, file_name);
    if (!root) return std::unexpected(root.error());
    text::Diagnostics diagnostics;
    FormReader reader(file_name, diagnostics, issue_rules());
    IssueLayout layout;
    if (reader.read(*root, layout)) {
        if (const auto* codes = text::YamlReader::find(*root, "codes")) read_codes(reader, *codes, layout);
    }
    if (!diagnostics.empty()) return std::unexpected(std::move(diagnostics));
    return layout;
}

Money largest_amount(const FileForm& form) {
    std::size_t digits = max_digits;
    for (const Column& column : form.columns) {
        if (column.kind == ColumnKind::amount) digits = std::min(digits, digits_of_amount(form, column));
    }
    return Money::from_cents(largest_number(digits));
}

FileCapacity capacity_of(const FileForm& form) {
    std::size_t of_count = max_digits, of_total = max_digits;
    for (const auto* record : {&form.header_record, &form.trailer_record}) {
        for (const Column& column : *record) {
            if (column.kind == ColumnKind::count && column.width > 0) of_count = std::min(of_count, column.width);
            if (column.kind == ColumnKind::total) of_total = std::min(of_total, digits_of_amount(form, column));
        }
    }
    return {largest_number(of_count), Money::from_cents(largest_number(of_total))};
}

text::Diagnostics check_issue_layout(const IssueLayout& layout, const AccountNumber& account,
                                     std::int64_t check_number) {
    text::Diagnostics diagnostics;
    const auto refuse = [&](const std::string& message, const std::string& hint) {
        diagnostics.push_back({layout.name, 0, 0, message, hint, text::Severity::error});
    };
    const auto check = [&](const std::vector<Column>& columns) {
        for (const Column& column : columns) {
            if (column.width == 0) continue;
            if (column.kind == ColumnKind::account_number && account.reveal().size() > column.width) {
                refuse("the account number has " + std::to_string(account.reveal().size()) +
                           " characters, but its column has room for " + std::to_string(column.width),
                       "widen the column, or correct checks.account_number_file");
            }
            const std::size_t digits = std::to_string(check_number).size();
            if (column.kind == ColumnKind::check_number && digits > column.width) {
                refuse("check numbers have " + std::to_string(digits) + " digits, but their column has room for " +
                           std::to_string(column.width),
                       "widen the column, or correct checks.first_number");
            }
        }
    };
    check(layout.columns);
    check(layout.header_record);
    check(layout.trailer_record);
    return diagnostics;
}

}  // namespace drawbridge::checks
