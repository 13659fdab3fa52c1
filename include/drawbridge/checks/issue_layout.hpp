// How one bank wants its list of issued checks (positive pay): a layout is data, read from YAML, not code.
//
// No two banks agree. A layout names its columns in order, and how dates, amounts and codes are written.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/text/diagnostic.hpp"

namespace drawbridge::checks {

enum class IssueColumnKind {
    code,
    account_number,
    check_number,
    issue_date,
    amount,
    payee_name,
    payment_reference,
    constant
};
enum class AmountFormat { decimal, cents };  // 1234.50 · 123450

struct IssueColumn {
    IssueColumnKind kind = IssueColumnKind::constant;
    std::string header;  // the column's name, written when the layout has a header line
    std::size_t width =
        0;  // at most so many characters; 0: no limit. Text is cut, a number that is too long is an error
    std::string constant;  // for IssueColumnKind::constant
    friend bool operator==(const IssueColumn&, const IssueColumn&) = default;
};

struct IssueLayout {
    std::string name;  // of the file from which it was read
    char delimiter = ',';
    bool header_line = false;
    bool crlf = false;
    std::string date_format = "MMDDYY";  // YYYY, YY, MM, DD; '-', '/', '.' and blank stand for themselves
    AmountFormat amount_format = AmountFormat::decimal;
    std::string issue_code = "I";
    std::string void_code = "C";
    std::string stop_code;  // empty: this bank takes no stops in the file
    std::vector<IssueColumn> columns;
    friend bool operator==(const IssueLayout&, const IssueLayout&) = default;
};

// Every problem of the file at once.
[[nodiscard]] std::expected<IssueLayout, text::Diagnostics> read_issue_layout(std::string_view yaml,
                                                                              std::string_view file_name);

}  // namespace drawbridge::checks
