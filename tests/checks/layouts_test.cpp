// Checks the shipped layouts against files made from the banks' specifications.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "drawbridge/checks/issue_file.hpp"
#include "drawbridge/checks/paid_file.hpp"
#include "drawbridge/checks/stated_account.hpp"

namespace drawbridge::checks {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::string data(const std::string& name) {
    return read_file(std::string(DRAWBRIDGE_TEST_DATA) + "/checks/" + name);
}

std::string shipped(const std::string& name) {
    return read_file(std::string(DRAWBRIDGE_SOURCE_DIR) + "/config/layouts/" + name);
}

IssueLayout layout(const std::string& name) {
    auto read = read_issue_layout(shipped(name), name);
    EXPECT_TRUE(read) << (read ? "" : text::to_string(read.error()));
    return read.value_or(IssueLayout{});
}

PaidLayout paid_layout() {
    auto read = read_paid_layout(shipped("paid-fixed.yaml"), "paid-fixed.yaml");
    EXPECT_TRUE(read) << (read ? "" : text::to_string(read.error()));
    return read.value_or(PaidLayout{});
}

AccountNumber account() {
    return AccountNumber::parse("9988776655").value();
}

constexpr BusinessDate day(unsigned of_month) {
    return {std::chrono::year(2026), std::chrono::month(11), std::chrono::day(of_month)};
}

std::vector<CheckIssue> checks() {
    const auto one = [](CheckAction action, std::int64_t number, std::int64_t cents, const char* payee,
                        const char* reference) {
        return CheckIssue{action, number, day(20), Money::from_cents(cents), payee, reference};
    };
    return {
        one(CheckAction::issue, 10001, 30000, "LODZ ROOFING LLC", "P0000000001"),
        one(CheckAction::issue, 10002, 4510, "CAPEK \"BOB\" PLUMBING, HEATING AND AIR CONDITIONING CO.", "P0000000002"),
        one(CheckAction::void_check, 10000, 99, "VOIDED, INC", "P0000000003"),
        one(CheckAction::stop, 9999, 1234567890, "STOPPED LP", "P0000000004")};
}

struct Shipped {
    const char* layout;
    const char* golden;
    std::size_t name_width;
    bool takes_void, takes_stop, has_reference;
};
constexpr Shipped shipped_layouts[] = {
    {"issue-fixed-100.yaml", "issue-fixed-100.txt", 54, true, false, false},
    {"issue-fixed-109.yaml", "issue-fixed-109.txt", 40, false, false, true},
    {"issue-arp.yaml", "issue-arp.txt", 36, true, true, false},
};

std::vector<CheckIssue> expressible(const Shipped& row) {
    std::vector<CheckIssue> kept;
    for (const CheckIssue& check : checks()) {
        if (check.action == CheckAction::void_check && !row.takes_void) continue;
        if (check.action == CheckAction::stop && !row.takes_stop) continue;
        kept.push_back(check);
    }
    return kept;
}

TEST(ShippedLayouts, write_the_golden_files_byte_for_byte) {
    for (const Shipped& row : shipped_layouts) {
        const auto bytes = encode_issue(layout(row.layout), account(), day(20), expressible(row));
        ASSERT_TRUE(bytes) << row.layout << ": " << bytes.error().message;
        EXPECT_EQ(*bytes, data(row.golden)) << row.layout;
    }
}

TEST(ShippedLayouts, read_the_golden_files) {
    for (const Shipped& row : shipped_layouts) {
        auto expected = expressible(row);
        for (CheckIssue& check : expected) {
            check.payee_name = check.payee_name.substr(0, row.name_width);
            check.payee_name.erase(check.payee_name.find_last_not_of(' ') + 1);
            if (!row.has_reference) check.payment_reference.clear();
        }
        const auto read = parse_issue(layout(row.layout), account(), day(20), data(row.golden));
        ASSERT_TRUE(read) << row.layout << ": " << read.error().message;
        EXPECT_EQ(*read, expected) << row.layout;
    }
}

TEST(ShippedLayouts, refuse_actions_that_the_bank_does_not_accept) {
    for (const Shipped& row : shipped_layouts) {
        const IssueLayout read = layout(row.layout);
        EXPECT_EQ(can_express(read, CheckAction::void_check), row.takes_void) << row.layout;
        EXPECT_EQ(can_express(read, CheckAction::stop), row.takes_stop) << row.layout;
        if (row.takes_stop) continue;
        const auto bytes = encode_issue(read, account(), day(20), {checks().back()});
        ASSERT_FALSE(bytes);
        EXPECT_THAT(bytes.error().message,
                    HasSubstr("check 9999: the layout " + std::string(row.layout) + " has no code for a stop"));
    }
}

// Every byte of a line except padding, when changed to another character of its kind, must be detected.
TEST(ShippedLayouts, detect_every_changed_byte) {
    for (const Shipped& row : shipped_layouts) {
        const IssueLayout read = layout(row.layout);
        const std::string golden = data(row.golden);
        const auto before = parse_issue(read, account(), day(20), golden);
        for (std::size_t i = 0; i < golden.size(); ++i) {
            if (golden[i] == '\r' || golden[i] == '\n') continue;
            std::string changed = golden;
            changed[i] = golden[i] == '7' ? '3' : '7';
            const auto after = parse_issue(read, account(), day(20), changed);
            EXPECT_TRUE(!after || *after != *before) << row.layout << " byte " << i;
        }
    }
}

TEST(ShippedLayouts, compare_count_and_total_with_the_lines) {
    const IssueLayout arp = layout("issue-arp.yaml");
    std::string bytes = data("issue-arp.txt");
    bytes.erase(82, 82);  // the first check
    const auto read = parse_issue(arp, account(), day(20), bytes);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().message, "line 5, column 2: the count is 4, but the file has 3");
    const auto other_day = parse_issue(arp, account(), day(21), data("issue-arp.txt"));
    ASSERT_FALSE(other_day);
    EXPECT_THAT(other_day.error().message, HasSubstr("line 1, column 17: not the date"));
}

TEST(ShippedLayouts, refuse_numbers_that_do_not_fit) {
    CheckIssue check = checks().front();
    check.amount = Money::from_cents(100'000'000'00);
    const auto bytes = encode_issue(layout("issue-fixed-109.yaml"), account(), day(20), {check});
    ASSERT_FALSE(bytes);
    EXPECT_EQ(bytes.error().message, "check 10001: column 'amount' allows 10 characters, but its value has 11");
    const auto long_account = AccountNumber::parse("12345678901234567").value();
    const auto problems = check_issue_layout(layout("issue-fixed-100.yaml"), long_account, 12345678901);
    ASSERT_EQ(problems.size(), 2U);
    EXPECT_EQ(problems[0].message, "the account number has 17 characters, but its column has room for 12");
    EXPECT_EQ(problems[1].message, "check numbers have 11 digits, but their column has room for 10");
    EXPECT_TRUE(check_issue_layout(layout("issue-fixed-100.yaml"), account(), 10001).empty());
}

TEST(PaidChecks, are_read_by_the_shipped_layout) {
    std::vector<PaidCheck> read;
    const auto totals = parse_paid(paid_layout(), {account()}, data("paid-fixed.txt"), "paid.txt",
                                   [&](PaidCheck check) { read.push_back(std::move(check)); });
    ASSERT_TRUE(totals) << text::to_string(totals.error());
    EXPECT_EQ(*totals, (PaidFileTotals{3, Money::from_cents(30100)}));
    const std::vector<PaidCheck> expected = {
        {1, "", 10001, Money::from_cents(30000), day(24), PaidStatus::paid, ""},
        {2, "", 10000, Money::from_cents(99), day(24), PaidStatus::stopped, ""},
        {3, "000001234567", 10001, Money::from_cents(1), day(23), PaidStatus::paid, ""},
    };
    EXPECT_EQ(read, expected);
}

TEST(PaidChecks, may_have_codes_that_change_nothing) {
    const auto layout = [](const std::string& ignored) {
        std::string yaml = read_file(std::string(DRAWBRIDGE_SOURCE_DIR) + "/config/layouts/paid-fixed.yaml");
        const std::string codes = "stopped: S";
        return read_paid_layout(yaml.replace(yaml.find(codes), codes.size(), codes + ", ignored: " + ignored),
                                "p.yaml");
    };
    const auto read = [&](const std::string& line) {
        std::string found;
        const auto totals =
            parse_paid(layout("[O, V]").value(), {account()}, line, "paid.txt", [&](const PaidCheck& one) {
                found += one.status == PaidStatus::ignored ? "ignored" : "counts";
                found += one.paid_date.ok() ? " dated" : "";
            });
        return totals ? found : text::to_string(totals.error());
    };
    const std::string paid = data("paid-fixed.txt").substr(0, 50);
    const auto with = [&](std::size_t at, std::string_view text) {
        return std::string(paid).replace(at, text.size(), text);
    };
    EXPECT_EQ(read(with(49, "P")), "counts dated");
    EXPECT_EQ(read(with(49, "V")), "ignored dated");
    EXPECT_EQ(read(with(37, "            O")), "ignored") << "an outstanding check has no date";
    EXPECT_EQ(read(with(37, "00000000    O")), "ignored");
    EXPECT_THAT(read(with(37, "            P")), HasSubstr("paid_date: not a date"));
    EXPECT_THAT(read(with(49, "X")), HasSubstr("code: not a code of the layout"));
    EXPECT_THAT(text::to_string(layout("[O, S]").error()), HasSubstr("'S' is also the code for paid or stopped"));
    EXPECT_THAT(text::to_string(layout("O").error()), HasSubstr("ignored must be a list"));
}

TEST(PaidChecks, may_have_several_codes_for_paid_and_no_date_if_stopped) {
    const auto layout = [](const std::string& paid) {
        std::string yaml = read_file(std::string(DRAWBRIDGE_SOURCE_DIR) + "/config/layouts/paid-fixed.yaml");
        return read_paid_layout(yaml.replace(yaml.find("paid: P,"), 8, "paid: " + paid + ","), "p.yaml");
    };
    const auto read = [&](const std::string& codes, std::string_view date, char code) {
        std::string line = data("paid-fixed.txt").substr(0, 50), found;
        line.replace(37, 8, date)[49] = code;
        const auto totals = parse_paid(layout(codes).value(), {account()}, line, "paid.txt", [&](const PaidCheck& one) {
            found = one.status == PaidStatus::paid ? "paid" : one.status == PaidStatus::stopped ? "stopped" : "";
            found += one.paid_date.ok() ? " dated" : "";
        });
        return totals ? found : text::to_string(totals.error());
    };
    EXPECT_EQ(read("[P, R]", "20261124", 'P'), "paid dated");
    EXPECT_EQ(read("[P, R]", "20261124", 'R'), "paid dated");
    EXPECT_EQ(read("[P, R]", "20261124", 'S'), "stopped dated");
    EXPECT_THAT(read("P", "20261124", 'R'), HasSubstr("code: not a code of the layout"));
    for (const char* date : {"        ", "00000000"}) {
        EXPECT_EQ(read("P", date, 'S'), "stopped");
        EXPECT_THAT(read("[P, R]", date, 'R'), HasSubstr("paid_date: not a date"));
    }
    EXPECT_THAT(text::to_string(layout("[P, S]").error()), HasSubstr("the codes for paid and stopped must differ"));
    EXPECT_THAT(text::to_string(layout("[]").error()), HasSubstr("paid has no code"));
}

TEST(PaidChecks, are_read_with_blank_lines_and_without_line_ends) {
    const auto read = [](const std::string& bytes, const PaidLayout& layout = paid_layout()) {
        std::string checks;
        const auto totals = parse_paid(layout, {account()}, bytes, "paid.txt", [&](const PaidCheck& check) {
            checks += std::to_string(check.line) + ":" + std::to_string(check.check_number) + " ";
        });
        return totals ? checks : text::to_string(totals.error());
    };
    const std::string one = data("paid-fixed.txt").substr(0, 50), blank(50, ' ');
    std::string two = one;
    two.replace(19, 6, "010002");
    EXPECT_EQ(read(one + "\r\n\r\n" + two + "\r\n" + blank + "\r\n"), "1:10001 3:10002 ");
    EXPECT_EQ(read(one + two), "1:10001 2:10002 ");
    EXPECT_EQ(read(one + two + blank + "\r\n\x1A"), "1:10001 2:10002 ");
    EXPECT_THAT(read(one + two + one.substr(1)), HasSubstr("paid.txt:1:51: text after the record of 50 characters"));
    // A blank line is no trailer.
    PaidLayout with_trailer = paid_layout();
    Column count;
    count.kind = ColumnKind::count;
    count.first = 1;
    count.width = 50;
    with_trailer.trailer_record = {count};
    EXPECT_EQ(read(one + "\n" + two + "\n000000002\n" + blank + "\n", with_trailer), "1:10001 2:10002 ");
    EXPECT_EQ(read(one + two + std::string(49, ' ') + "2", with_trailer), "1:10001 2:10002 ");
    EXPECT_THAT(read(one, with_trailer), HasSubstr("not a count"));
}

// The bank's account reconciliation form: the account may be only in its header.
const std::string with_header =
    "format: fixed\nrecord_length: 40\ndate_format: YYYYMMDD\namount_format: cents\nheader_record:\n"
    "  - {field: constant, at: 1, value: H}\n  - {field: account_number, at: 2-13}\n  - {field: blank, at: 14-40}\n"
    "columns:\n  - {field: constant, at: 1, value: D}\n  - {field: check_number, at: 2-11}\n"
    "  - {field: amount, at: 12-23}\n  - {field: paid_date, at: 24-31}\n";

std::string read_paid(const std::string& yaml, const std::string& bytes, const std::string& name = "paid.txt") {
    const auto read = read_paid_layout(yaml, "paid.yaml");
    if (!read) return text::to_string(read.error());
    std::string checks;
    const auto totals = parse_paid(*read, {account()}, bytes, name, [&](const PaidCheck& check) {
        checks += std::to_string(check.line) + ":" + std::to_string(check.check_number) +
                  (check.foreign_account.empty() ? "" : "@" + check.foreign_account) + " ";
    });
    return totals ? checks : text::to_string(totals.error());
}

const std::string rest_blank = "  - {field: blank, at: 32-40}\n";
const std::string checks_of_two = "D000001000100000003000020261124\nD000001000200000003000020261124\n";

TEST(PaidChecks, without_an_account_of_their_own_have_that_of_the_header) {
    EXPECT_EQ(read_paid(with_header + rest_blank, "H009988776655\n" + checks_of_two), "2:10001 3:10002 ");
    EXPECT_EQ(read_paid(with_header + rest_blank, "H123456789012\n" + checks_of_two),
              "2:10001@123456789012 3:10002@123456789012 ");
    const std::string own = "  - {field: account_number, at: 32-40}\n";
    EXPECT_EQ(read_paid(with_header + own, "H123456789012\nD000001000100000003000020261124      655\n" + checks_of_two),
              "2:10001@655 3:10001@123456789012 4:10002@123456789012 ");
    EXPECT_THAT(read_paid(with_header + own, "H\n" + checks_of_two), HasSubstr("paid.txt:2:32: account_number: no"));
}

TEST(PaidChecks, are_read_with_a_blank_first_line_old_line_ends_and_a_stripped_last_record) {
    const std::string bytes = "H009988776655\n" + checks_of_two;
    EXPECT_EQ(read_paid(with_header + rest_blank, "\r\n  \n" + bytes), "4:10001 5:10002 ");
    std::string old = bytes;
    std::ranges::replace(old, '\n', '\r');
    EXPECT_EQ(read_paid(with_header + rest_blank, old), "2:10001 3:10002 ");
    std::string joined;
    for (const char* record : {"H009988776655", "D000001000100000003000020261124"}) {
        joined += record;
        joined.resize((joined.size() + 39) / 40 * 40, ' ');
    }
    joined += "D000001000200000003000020261124";
    EXPECT_EQ(read_paid(with_header + rest_blank, joined), "2:10001 3:10002 ");
    joined.pop_back();
    EXPECT_THAT(read_paid(with_header + rest_blank, joined), HasSubstr("text after the record of 40 characters"));
}

TEST(PaidChecks, are_ours_on_an_account_that_the_bank_masks_or_groups) {
    const std::string csv =
        "format: csv\ndate_format: YYYY-MM-DD\ncolumns:\n  - {field: account_number}\n  - {field: check_number}\n"
        "  - {field: amount}\n  - {field: paid_date}\n";
    for (const char* ours : {"9988776655", "0009988776655", "99887766-55", "99 8877 6655", "XXXXXX6655", "...6655",
                             "XXXX-XX-6655", "\xE2\x80\xA2\xE2\x80\xA2\xE2\x80\xA2 6655", "ending ..655"})
        EXPECT_EQ(read_paid(csv, std::string(ours) + ",10001,1.00,2026-11-24\n", "p.csv"), "1:10001 ") << ours;
    for (const char* other : {"9988776656", "XXXXXX6656", "12.345.655", "6655"})
        EXPECT_EQ(read_paid(csv, std::string(other) + ",10001,1.00,2026-11-24\n", "p.csv"),
                  "1:10001@" + std::string(other) + " ");
    for (const char* unclear : {"...55", "9.98878E+09"})
        EXPECT_THAT(read_paid(csv, std::string(unclear) + ",10001,1.00,2026-11-24\n", "p.csv"),
                    testing::HasSubstr("has fewer than three digits, or was rounded by a spreadsheet"));
}

TEST(StatedAccount, shows_only_digits_of_ours_around_a_mask) {
    const AccountNumber ours = AccountNumber::parse("4400123456").value();
    for (const char* same : {"XXXX3456", "xxxxxx3456", "***-***-3456", "# # # 3456", "..3456", "ending in ..3456",
                             "Acct: XXXX3456", "44XXXX3456", "0044XXXX3456", "4400-XX-3456", "XXXX3456 - CHECKING"})
        EXPECT_TRUE(is_same_account(same, ours)) << same;
    for (const char* other :
         {"TX3456", "BOX-3456", "FX 23456", "USX00123456", "1X3456", "9.3456", "9..3456", "77#3456", "45XXXX3456",
          "XX99XX3456", "4400123X0123456", "XX.3456", "XX3456X", "4400XXXX", "XXXX 56", "TX 3456", "Box 3456"})
        EXPECT_FALSE(is_same_account(other, ours)) << other;
    const AccountNumber with_letters = AccountNumber::parse("AX12-34TB").value();
    for (const char* same : {"AX12-34TB", "AX1234TB", "A***4TB", "..34TB"})
        EXPECT_TRUE(is_same_account(same, with_letters)) << same;
}

TEST(PaidChecks, in_csv_may_have_blank_rows_and_a_header_in_another_case) {
    const std::string csv =
        "format: csv\nheader: true\ndate_format: YYYY-MM-DD\ncolumns:\n  - {field: check_number, header: Check}\n"
        "  - {field: amount, header: Amount}\n  - {field: paid_date, header: Cleared}\n"
        "trailer_record:\n  - {field: constant, value: T}\n  - {field: count}\n  - {field: total}\n";
    EXPECT_EQ(read_paid(csv, ",,\nCHECK, amount ,Cleared\n,,\n10001,1.00,2026-11-24\n,,\nT,1,1.00\n,,\n", "p.csv"),
              "4:10001 ");
    EXPECT_THAT(read_paid(csv, "Number,Amount,Cleared\n10001,1.00,2026-11-24\nT,1,1.00\n", "p.csv"),
                HasSubstr("the column is not 'Check'"));
}

TEST(PaidChecks, report_every_problem_with_line_and_column) {
    const std::string good = data("paid-fixed.txt");
    const std::string line = good.substr(0, good.find('\n'));
    struct Case {
        std::size_t from;
        const char* text;
        const char* problem;
        const char* shown = "";
    };
    const Case table[] = {
        {19, "01000A", "paid.txt:1:20: check_number: not a check number", "01000A"},
        {19, "000000", "paid.txt:1:20: check_number: not a check number", "000000"},
        {25, "00000003000-", "paid.txt:1:26: amount: not an amount in cents", "****3000-"},
        {25, "            ", "paid.txt:1:26: amount: not an amount in cents"},
        {37, "20261331", "paid.txt:1:38: paid_date: not a date in the form YYYYMMDD", "20261331"},
        {49, "X", "paid.txt:1:50: code: not a code of the layout", "X"},
        {0, "            ", "paid.txt:1:1: account_number: no account number"},
    };
    std::string all;
    for (const Case& row : table) {
        std::string bad = line;
        bad.replace(row.from, std::string_view(row.text).size(), row.text);
        all += bad + "\r\n";
        const auto totals = parse_paid(paid_layout(), {account()}, bad, "paid.txt", [](const PaidCheck&) {});
        ASSERT_FALSE(totals) << row.problem;
        const std::string shown = *row.shown == '\0' ? "" : "the file has '" + std::string(row.shown) + "': ";
        EXPECT_EQ(text::to_string(totals.error()),
                  std::string(row.problem) + ": " + shown + "check the layout, or ask the bank for the file again\n");
        EXPECT_THAT(text::to_string(totals.error()), Not(HasSubstr("998877")));
    }
    const auto totals = parse_paid(paid_layout(), {account()}, all, "paid.txt", [](const PaidCheck&) {});
    ASSERT_FALSE(totals);
    EXPECT_EQ(totals.error().size(), std::size(table));
    const auto longer = parse_paid(paid_layout(), {account()}, line + "  P", "paid.txt", [](const PaidCheck&) {});
    ASSERT_FALSE(longer);
    EXPECT_THAT(text::to_string(longer.error()), HasSubstr("paid.txt:1:51: text after the record of 50"));
}

TEST(PaidChecks, read_long_csv_in_chunks_and_compare_its_trailer) {
    const auto csv = read_paid_layout(
        "format: csv\nheader: true\ndate_format: YYYY-MM-DD\ncolumns:\n  - {field: check_number, header: Check}\n"
        "  - {field: amount, header: Amount}\n  - {field: paid_date, header: Cleared}\n"
        "  - {field: payee_name, header: Payee}\n"
        "trailer_record:\n  - {field: constant, value: T}\n  - {field: count}\n  - {field: total}\n",
        "paid.yaml");
    ASSERT_TRUE(csv) << text::to_string(csv.error());
    constexpr int lines = 20'000;  // several chunks
    std::string bytes = "Check,Amount,Cleared,Payee\n";
    for (int i = 1; i <= lines; ++i)
        bytes += std::to_string(i) + ",1.00,2026-11-24,\"Jane, or\nJohn\"\n";
    const std::vector<AccountNumber> accounts{account()};
    const auto read = [&](const std::string& file) {
        std::int64_t slices = 1;
        PaidFileReader reading(*csv, accounts, file, "p.csv",
                               [&](const PaidCheck& check) { EXPECT_EQ(check.line, 2 * check.check_number); });
        while (reading.advance())
            ++slices;
        EXPECT_GT(slices, 3);
        const auto totals = std::move(reading).finish();
        if (!totals) return text::to_string(totals.error());
        return std::to_string(totals->count) + " " + totals->total.to_string();
    };
    EXPECT_EQ(read(bytes + "T,20000,20000.00\n"), "20000 20000.00");
    EXPECT_THAT(read(bytes + "T,19999,20000.00\n"),
                HasSubstr("p.csv:40002:3: the count is 19999, but the file has 20000"));
    EXPECT_THAT(read(bytes), HasSubstr("p.csv:40000:1: 4 fields, but the layout has 3"));
    EXPECT_THAT(read(bytes + "T,20000,\"20000.00\n"), HasSubstr("p.csv:40002:9: this quote is not closed"));
    EXPECT_THAT(read("T,1" + bytes + "T,20000,20000.00\n"), HasSubstr("p.csv:1:"));
}

TEST(PaidChecks, refuse_csv_with_a_changed_header) {
    const auto csv = read_paid_layout(
        "format: csv\nheader: true\ndate_format: MM/DD/YYYY\ncolumns:\n  - {field: check_number, header: Check}\n"
        "  - {field: amount, header: Amount}\n  - {field: paid_date, header: Cleared}\n",
        "paid.yaml");
    ASSERT_TRUE(csv) << text::to_string(csv.error());
    std::vector<PaidCheck> read;
    const auto sink = [&](PaidCheck check) { read.push_back(std::move(check)); };
    ASSERT_TRUE(parse_paid(*csv, {account()}, "Check,Amount,Cleared\n10001,300.00,11/24/2026\n", "p.csv", sink));
    ASSERT_EQ(read.size(), 1U);
    EXPECT_EQ(read[0].amount, Money::from_cents(30000));
    const auto changed =
        parse_paid(*csv, {account()}, "Check,Cleared,Amount\n10001,300.00,11/24/2026\n", "p.csv", sink);
    ASSERT_FALSE(changed);
    EXPECT_THAT(text::to_string(changed.error()), HasSubstr("p.csv:1:7: the column is not 'Amount'"));
}

TEST(FixedColumns, report_every_problem_of_a_layout) {
    struct Case {
        const char* change;
        const char* to;
        const char* problem;
    };
    const std::string good = shipped("issue-fixed-100.yaml");
    const Case table[] = {
        {"at: 14-15", "at: 14", "no column covers position 15"},
        {"at: 13}", "at: 12-13}", "another column already covers position 12"},
        {"at: 47-100", "at: 47-99", "no column covers position 100"},
        {"at: 47-100", "at: 47-101", "the column ends after the record of 100"},
        {"at: 38-45", "at: 38-44", "too narrow for issue_date: it needs at least 8"},
        {"void: \"2\"", "void: \"22\"", "code '22' does not fit"},
        {"at: 16-25", "at: 25-16", "is not a range of positions"},
        {"at: 16-25", "width: 10", "missing key 'at'"},
        {"record_length: 100\n", "", "missing key 'record_length'"},
        {"field: blank, at: 46", "field: any, at: 46", "field 'any' is not allowed in columns"},
        {"format: fixed", "format: fixed\ndelimiter: ','", "delimiter applies only to format: csv"},
        {"at: 16-25}", "at: 16-25, align: left}", "zeros after the value would change it"},
        {"at: 16-25}", "at: 16-25, pad: zeros}", "write blank or zero"},
    };
    for (const Case& row : table) {
        std::string yaml = good;
        const auto at = yaml.find(row.change);
        ASSERT_NE(at, std::string::npos) << row.change;
        yaml.replace(at, std::string_view(row.change).size(), row.to);
        const auto read = read_issue_layout(yaml, "l.yaml");
        ASSERT_FALSE(read) << row.to;
        EXPECT_THAT(text::to_string(read.error()), HasSubstr(row.problem));
        EXPECT_THAT(text::to_string(read.error()), HasSubstr("l.yaml:"));
    }
}

TEST(LayoutSchema, has_the_same_keys_as_the_reader) {
    const auto schema = nlohmann::json::parse(
        read_file(std::string(DRAWBRIDGE_SOURCE_DIR) + "/config/schema/check-layout.schema.json"));
    const auto& column = schema["definitions"]["columns"]["items"]["properties"];
    for (const auto& [key, value] : column.items()) {
        // The reader reports an unknown key with a different message.
        const auto read = read_issue_layout("format: csv\ncolumns:\n  - {field: code, " + key + ": [x]}\n", "l.yaml");
        EXPECT_THAT(text::to_string(read.error()), Not(HasSubstr("unknown key"))) << key;
    }
    for (const auto& [key, value] : schema["properties"].items()) {
        const auto read = read_issue_layout(key + ": {x: 1}\n", "l.yaml");
        EXPECT_THAT(text::to_string(read.error()), Not(HasSubstr("unknown key '" + key))) << key;
    }
}

}  // namespace
}  // namespace drawbridge::checks
