#include "drawbridge/checks/issue_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <iterator>

#include "drawbridge/text/diagnostic.hpp"

namespace drawbridge::checks {
namespace {

using ::testing::HasSubstr;

std::string read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

IssueLayout shipped_layout() {
    const std::string path = std::string(DRAWBRIDGE_SOURCE_DIR) + "/config/layouts/issue-csv.yaml";
    auto layout = read_issue_layout(read_file(path), "issue-csv.yaml");
    EXPECT_TRUE(layout) << (layout ? "" : text::to_string(layout.error()));
    return layout.value_or(IssueLayout{});
}

AccountNumber account() {
    return AccountNumber::parse("9988776655").value();
}

constexpr BusinessDate file_date(std::chrono::year(2026), std::chrono::month(11), std::chrono::day(20));

CheckIssue check(std::int64_t number, std::int64_t cents, const std::string& payee) {
    return {.action = CheckAction::issue,
            .check_number = number,
            .check_date = BusinessDate(std::chrono::year(2026), std::chrono::month(11), std::chrono::day(20)),
            .amount = Money::from_cents(cents),
            .payee_name = payee,
            .payment_reference = "P0000000001"};
}

std::vector<CheckIssue> checks() {
    std::vector<CheckIssue> checks = {check(10001, 30000, "LODZ ROOFING LLC"),
                                      check(10002, 4510, "CAPEK \"BOB\" PLUMBING, HEATING AND AIR CONDITIONING CO."),
                                      check(10000, 99, "VOIDED, INC")};
    checks.back().action = CheckAction::void_check;
    return checks;
}

TEST(IssueFile, writes_the_golden_file_byte_for_byte) {
    const auto bytes = encode_issue(shipped_layout(), account(), file_date, checks());
    ASSERT_TRUE(bytes) << bytes.error().message;
    EXPECT_EQ(*bytes, read_file(std::string(DRAWBRIDGE_TEST_DATA) + "/checks/issue.csv"));
}

TEST(IssueFile, reads_back_what_it_writes) {
    const IssueLayout layout = shipped_layout();
    const auto bytes = encode_issue(layout, account(), file_date, checks());
    ASSERT_TRUE(bytes);
    const auto read = parse_issue(layout, account(), file_date, *bytes);
    ASSERT_TRUE(read) << read.error().message;
    std::vector<CheckIssue> expected = checks();
    for (CheckIssue& issue : expected) {
        issue.payee_name = issue.payee_name.substr(0, 40);
        issue.payment_reference.clear();  // the layout has no column for it
    }
    EXPECT_EQ(*read, expected);
}

TEST(IssueFile, follows_the_layout) {
    IssueLayout layout;
    layout.delimiter = ';';
    layout.header_line = true;
    layout.crlf = true;
    layout.date_format = "YYYY-MM-DD";
    layout.amount_format = AmountFormat::cents;
    layout.columns = {{ColumnKind::constant, "Bank", 0, "42"},
                      {ColumnKind::check_number, "Check No", 10, ""},
                      {ColumnKind::issue_date, "Date", 0, ""},
                      {ColumnKind::amount, "Amount", 10, ""},
                      {ColumnKind::payment_reference, "Ref", 15, ""}};
    const std::vector<CheckIssue> one = {check(7, 125050, "")};
    const auto bytes = encode_issue(layout, account(), file_date, one);
    ASSERT_TRUE(bytes);
    EXPECT_EQ(*bytes, "Bank;Check No;Date;Amount;Ref\r\n42;7;2026-11-20;125050;P0000000001\r\n");
    EXPECT_EQ(parse_issue(layout, account(), file_date, *bytes), one);
}

TEST(IssueFile, refuses_values_that_the_bank_cannot_accept) {
    struct Case {
        const char* what;
        std::function<void(CheckIssue&)> change;
        const char* message;
    };
    const Case table[] = {
        {"no number", [](CheckIssue& c) { c.check_number = 0; }, "check number"},
        {"a number that is too long", [](CheckIssue& c) { c.check_number = 12345678901; }, "allows 10 characters"},
        {"no amount", [](CheckIssue& c) { c.amount = Money(); }, "amount"},
        {"an amount that is too long", [](CheckIssue& c) { c.amount = Money::from_cents(100'000'000'000'00); },
         "allows 12 characters"},
        {"no date", [](CheckIssue& c) { c.check_date = BusinessDate{}; }, "date"},
        {"a newline in a name", [](CheckIssue& c) { c.payee_name = "A\nB"; }, "character that banks do not accept"},
        {"a letter that is not ASCII", [](CheckIssue& c) { c.payee_name = "É"; }, "character that banks do not accept"},
        {"a stop that the layout has no code for", [](CheckIssue& c) { c.action = CheckAction::stop; }, "codes"},
    };
    for (const Case& row : table) {
        CheckIssue issue = check(1, 100, "A");
        row.change(issue);
        const auto bytes = encode_issue(shipped_layout(), account(), file_date, {issue});
        ASSERT_FALSE(bytes) << row.what;
        EXPECT_THAT(bytes.error().message, HasSubstr(row.message)) << row.what;
        EXPECT_THAT(bytes.error().message, HasSubstr("check " + std::to_string(issue.check_number)));
    }
}

TEST(IssueFile, refuses_a_malformed_line) {
    struct Case {
        const char* line;
        const char* message;
    };
    const Case table[] = {
        {"X,9988776655,1,112026,1.00,A", "line 1, column 1: not a code of the layout"},
        {"I,9988776656,1,112026,1.00,A", "line 1, column 3: a different account"},
        {"I,9988776655,one,112026,1.00,A", "not a check number"},
        {"I,9988776655,1,133226,1.00,A", "not a date in the form MMDDYY"},
        {"I,9988776655,1,11202,1.00,A", "not a date"},
        {"I,9988776655,1,112026,1.005,A", "decimals"},
        {"I,9988776655,1,112026,1.00", "5 fields"},
    };
    for (const auto& [line, message] : table) {
        const auto read = parse_issue(shipped_layout(), account(), file_date, std::string(line) + "\n");
        ASSERT_FALSE(read) << line;
        EXPECT_THAT(read.error().message, HasSubstr(message));
        EXPECT_THAT(read.error().message, ::testing::Not(HasSubstr("998877")));
    }
}

}  // namespace
}  // namespace drawbridge::checks
