#include "drawbridge/checks/issue_layout.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace drawbridge::checks {
namespace {

constexpr const char* required_columns = R"(columns:
  - {field: account_number}
  - {field: check_number}
  - {field: issue_date}
  - {field: amount}
)";

TEST(IssueLayout, reads_every_key) {
    const auto layout = read_issue_layout(R"(
format: csv
header: true
delimiter: tab
line_end: crlf
date_format: YYYY-MM-DD
amount_format: cents
codes: {issue: "320", void: "370", stop: "430"}
columns:
  - {field: code, header: Type}
  - {field: account_number}
  - {field: check_number, width: 10}
  - {field: issue_date}
  - {field: amount}
  - {field: constant, header: Filler, value: ""}
)",
                                          "layout.yaml");
    ASSERT_TRUE(layout) << text::to_string(layout.error());
    EXPECT_TRUE(layout->header_line);
    EXPECT_TRUE(layout->crlf);
    EXPECT_EQ(layout->delimiter, '\t');
    EXPECT_EQ(layout->date_format, "YYYY-MM-DD");
    EXPECT_EQ(layout->amount_format, AmountFormat::cents);
    EXPECT_EQ(layout->issue_code, "320");
    EXPECT_EQ(layout->void_code, "370");
    EXPECT_EQ(layout->stop_code, "430");
    const std::vector<Column> columns = {{ColumnKind::code, "Type", 0, ""},
                                         {ColumnKind::account_number, "account_number", 0, ""},
                                         {ColumnKind::check_number, "check_number", 10, ""},
                                         {ColumnKind::issue_date, "issue_date", 0, ""},
                                         {ColumnKind::amount, "amount", 0, ""},
                                         {ColumnKind::constant, "Filler", 0, ""}};
    EXPECT_EQ(layout->columns, columns);
}

TEST(IssueLayout, may_separate_fields_with_each_of_four_characters) {
    for (const auto& [written, delimiter] : {std::pair("\",\"", ','), {"\";\"", ';'}, {"\"|\"", '|'}, {"tab", '\t'}}) {
        const auto layout = read_issue_layout(
            "format: csv\ndelimiter: " + std::string(written) + "\n" + required_columns, "layout.yaml");
        ASSERT_TRUE(layout) << text::to_string(layout.error());
        EXPECT_EQ(layout->delimiter, delimiter);
    }
}

TEST(IssueLayout, reports_every_problem_with_its_position) {
    struct Case {
        std::string yaml;
        const char* problem;
    };
    const std::string columns = required_columns;
    const Case table[] = {
        {columns, "missing key 'format'"},
        {"format: csv\n", "missing key 'columns'"},
        {"format: xml\n" + columns, "l.yaml:1:9: unknown format 'xml'"},
        {"format: csv\ndelimeter: ','\n" + columns, "did you mean 'delimiter'"},
        {"format: csv\ndelimiter: x\n" + columns, "l.yaml:2:12: unknown delimiter"},
        {"format: csv\nline_end: cr\n" + columns, "write lf or crlf"},
        {"format: csv\ndate_format: MMDD\n" + columns, "l.yaml:2:14: date_format 'MMDD'"},
        {"format: csv\ndate_format: DDMMYYYYMM\n" + columns, "is not a date format"},
        {"format: csv\ndate_format: '%m%d%y'\n" + columns, "is not a date format"},
        {"format: csv\ncodes: {issue: I, void: I}\n" + columns, "must differ"},
        {"format: csv\n" + columns + "  - {field: amonut}\n", "did you mean 'amount'"},
        {"format: csv\n" + columns + "  - {field: code, width: 0}\n", "l.yaml:7:26: "},
        {"format: csv\n" + columns + "  - {field: code, value: x}\n", "only a column with field: constant"},
        {"format: csv\n" + columns + "  - {field: constant}\n", "missing key 'value'"},
        {"format: csv\ncolumns: []\n", "columns must be a list"},
        {"format: csv\ncolumns: [{field: amount}]\n", "no column has the check_number"},
    };
    for (const auto& [yaml, problem] : table) {
        const auto layout = read_issue_layout(yaml, "l.yaml");
        ASSERT_FALSE(layout) << yaml;
        EXPECT_THAT(text::to_string(layout.error()), ::testing::HasSubstr(problem)) << yaml;
    }
}

TEST(IssueLayout, reports_all_problems_at_once) {
    const auto layout = read_issue_layout(
        "format: xml\ndelimiter: x\ncolumns:\n  - {field: account_number}\n  - {field: check_number}\n", "l.yaml");
    ASSERT_FALSE(layout);
    EXPECT_EQ(layout.error().size(), 4U) << text::to_string(layout.error());
}

}  // namespace
}  // namespace drawbridge::checks
