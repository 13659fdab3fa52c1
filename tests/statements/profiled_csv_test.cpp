// Finance's CSV by profile: for every key, one file that it reads and one that it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "statements/shown.hpp"

namespace drawbridge::statements {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string read_by(const std::string& yaml, const std::string& bytes, ReadOptions options = {}) {
    auto profile = read_csv_profile(yaml, "p.yaml");
    if (!profile) return text::to_string(profile.error());
    options.csv_profiles = {*profile};
    options.profile = "p";
    const std::string text = shown(bytes, "f.csv", options);
    return text.starts_with("csv by p") ? text.substr(text.find('\n') + 1) : text;
}

// A profile with these extra lines; columns 1 reference, 2 status, 3 amount, 4 date.
std::string profile(const std::string& amount = "amount: 3", const std::string& date = "date: 4",
                    const std::string& more = "status: 2") {
    return "format: csv\nheader: false\nreferences:\n  - {kind: check_number, column: 1}\n" + amount + "\n" + date +
           "\n" + more + "\n";
}

std::string shipped(const std::string& name) {
    std::ifstream file(DRAWBRIDGE_SOURCE_DIR "/config/profiles/" + name);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The example in the comment at the top of a shipped profile: the lines after three spaces.
std::string example_of(const std::string& yaml) {
    std::string example;
    for (std::size_t at = 0; at < yaml.size();) {
        const std::size_t end = yaml.find('\n', at);
        const std::string line = yaml.substr(at, end - at);
        if (line.starts_with("#   ")) example += line.substr(4) + "\n";
        at = end + 1;
    }
    return example;
}

TEST(ProfiledCsv, shipped_profiles_read_their_examples) {
    EXPECT_EQ(read_by(shipped("bank-statement.yaml"), example_of(shipped("bank-statement.yaml"))),
              "3 paid 1300.00 USD 2026-11-23 check number=10001 note='CHECK PAID'\n"
              "4 unrelated 0.12 USD 2026-11-24 note='INTEREST'\n");
    EXPECT_EQ(read_by(shipped("erp-export.yaml"), example_of(shipped("erp-export.yaml"))),
              "1 paid 300.00 USD 2026-11-24 trace number=091000010000077 payee='JANE ROE'\n"
              "2 returned 120.50 USD 2026-11-24 trace number=091000010000078 payee='JOHN DOE'\n");
}

// Whatever kind the profile gives a column, our own numbers are recognized in it.
TEST(ProfiledCsv, refuses_a_footer_that_is_a_line) {
    const std::string statement = shipped("bank-statement.yaml");
    const std::string head = "Account activity,,,,\nDate,Description,Check No,Withdrawal,Deposit\n";
    const std::string one = "11/23/2026,CHECK PAID,10001,300.50,\n", two = "11/24/2026,CHECK PAID,10002,311.50,\n";
    EXPECT_THAT(read_by(statement, head + one + two),
                HasSubstr("f.csv:4: this row of the footer is a line about a payment: the footer is missing"));
    EXPECT_THAT(read_by(statement, head + one + "11/24/2026,RETURN OF P0000000001,,,5.00\n"),
                HasSubstr("the footer is"));
    for (const char* footer : {"Total,2 lines,,,\n", "Total,2 lines,,612.00,\n",
                               "11/24/2026,Closing balance,,900.00,\n", "Total,2 lines,,,\n,,,,\n , ,,,\n"})
        EXPECT_EQ(read_by(statement, head + one + two + footer),
                  "3 paid 300.50 USD 2026-11-23 check number=10001 note='CHECK PAID'\n"
                  "4 paid 311.50 USD 2026-11-24 check number=10002 note='CHECK PAID'\n")
            << footer;
    // A footer that ends in a blank row.
    const std::string two_rows = profile("amount: 3", "date: 4", "status: 2\nskip: {foot: 2}");
    EXPECT_EQ(read_by(two_rows, "1,paid,5,2026-11-24\nTotal,,5,\n,,,\n"),
              "1 paid 5.00 USD 2026-11-24 check number=1\n");
}

TEST(ProfiledCsv, reads_a_control_count_that_is_padded_with_zeros) {
    const std::string yaml =
        profile("amount: 3", "date: 4", "status: 2\nskip: {foot: 1}\ncontrol: {row: 1, count: 2, total: 3}");
    for (const char* count : {"1", "000001"})
        EXPECT_THAT(read_by(yaml, "1,paid,5,2026-11-24\nTRL," + std::string(count) + ",5.00,\n"),
                    StartsWith("1 paid 5.00"));
    for (const char* count : {"2", "000000", "", "0000010", "+1"})
        EXPECT_THAT(read_by(yaml, "1,paid,5,2026-11-24\nTRL," + std::string(count) + ",5.00,\n"),
                    HasSubstr("the control count is"));
}

TEST(ProfiledCsv, reads_a_return_of_nothing_and_refuses_a_payment_of_nothing) {
    EXPECT_EQ(read_by(profile(), "1,returned,0.00,2026-11-24\n"), "1 returned 0.00 USD 2026-11-24 check number=1\n");
    EXPECT_THAT(read_by(profile(), "1,paid,0.00,2026-11-24\n"), HasSubstr("the amount is zero"));
    EXPECT_THAT(read_by(profile(), "1,void,0.00,2026-11-24\n"), HasSubstr("the amount is zero"));
}

// Nothing is applied, but a person looks at a deposit that may be a check that came back.
TEST(ProfiledCsv, ignores_balances_between_the_lines) {
    const std::string yaml =
        "format: csv\nreferences:\n  - {kind: check_number, column: Check}\namount: {column: Amount, negative: out, "
        "thousands: \",\"}\ndirection: {out: paid, in: unrelated}\ndate: {column: Date, format: MM/DD/YYYY}\nnote: "
        "Description\nignore: {column: Description, starts_with: [beginning BALANCE, Ending balance]}\n";
    const std::string head = "Date,Description,Check,Amount,Balance\n";
    const std::string line = "03/04/2026,CHECK,10001,-5.00,\"1,229.56\"\n";
    EXPECT_EQ(read_by(yaml, head + "03/01/2026,Beginning balance as of 03/01/2026,,,\"1,234.56\"\n" + line +
                                ",Ending Balance,\n"),
              "3 paid 5.00 USD 2026-03-04 check number=10001 note='CHECK'\n");
    EXPECT_THAT(read_by(yaml, head + "03/01/2026,Beginning balance,10001,,\"1,234.56\"\n"), HasSubstr("amount"))
        << "a row that names a payment is a line";
    const std::string by_text =
        "format: csv\nreferences:\n  - {kind: any, column: Description}\n" + yaml.substr(yaml.find("amount:"));
    EXPECT_EQ(read_by(by_text, head + "03/01/2026,Beginning balance as of 03/01/2026,,,\"1,234.56\"\n"
                                      "03/04/2026,CHECK 10001,,-5.00,\n"),
              "3 paid 5.00 USD 2026-03-04 reference=10001 note='CHECK ****0001'\n")
        << "a text is no number of ours";
    EXPECT_THAT(read_by(by_text, head + "03/01/2026,Ending balance P0000000123,,,\n"), HasSubstr("amount"));
    EXPECT_THAT(read_by(yaml, head + "03/01/2026,Opening balance,,,\"1,234.56\"\n"), HasSubstr("amount"));
    EXPECT_THAT(read_by("ignore: {column: 1, starts_with: [\" \"]}\n" + profile(), "10001,paid,1.00,2026-03-04\n"),
                HasSubstr("each of starts_with is empty"));
}

TEST(ProfiledCsv, doubts_a_deposit_with_a_check_number_however_it_is_written) {
    const std::string yaml =
        "format: csv\nheader: false\nreferences:\n  - {kind: check_number, column: 1}\n"
        "amount: {debit: 2, credit: 3}\ndate: 4\ndirection: {out: paid, in: unrelated}\n";
    for (const char* number : {"10001", "'10001", "#10001", "Check No. 10001", "CHK# 10001", "ck 10001"})
        EXPECT_THAT(read_by(yaml, "\"" + std::string(number) + "\",,5.00,2026-11-24\n"), StartsWith("1 disputed 5.00"))
            << number;
    for (const char* number : {"", "0", "#000", "INV 10001", "10001-B"})
        EXPECT_THAT(read_by(yaml, "\"" + std::string(number) + "\",,5.00,2026-11-24\n"), StartsWith("1 unrelated 5.00"))
            << number;
    EXPECT_EQ(read_by(yaml, "10001,5.00,-,2026-11-24\n"), "1 paid 5.00 USD 2026-11-24 check number=10001\n")
        << "some banks write a dash into the empty column";
    EXPECT_THAT(read_by(yaml, "10001,-,-,2026-11-24\n"), HasSubstr("neither a debit nor a credit"));
}

TEST(ProfiledCsv, reads_a_labeled_check_number_of_a_paid_line) {
    const std::string yaml =
        "format: csv\nheader: false\nreferences:\n  - {kind: check_number, column: 1}\n"
        "amount: {debit: 2, credit: 3}\ndate: 4\ndirection: {out: paid, in: unrelated}\nnote: 5\n";
    for (const char* number : {"10001", "'10001", "#10001", "Check No. 10001", "CHK# 10001"})
        EXPECT_THAT(read_by(yaml, std::string(number) + ",5.00,,2026-11-24,\n"),
                    StartsWith("1 paid 5.00 USD 2026-11-24 check number=10001\n"))
            << number;
    for (const char* note : {"CHECK 10001", "Check Serial Number: 10001 PAID"})
        EXPECT_THAT(read_by(yaml, ",5.00,,2026-11-24," + std::string(note) + "\n"),
                    StartsWith("1 unrelated 5.00 USD 2026-11-24 possible check number=10001"))
            << note;
    EXPECT_THAT(read_by(yaml, ",5.00,,2026-11-24,FEE 10001\n"), StartsWith("1 unrelated 5.00 USD 2026-11-24 note="));
}

TEST(ProfiledCsv, reads_the_line_ends_of_an_old_mac) {
    const std::string yaml = profile("amount: 3", "date: 4", "status: 2\nskip: {head: 1}");
    EXPECT_EQ(read_by(yaml, "title\r1,paid,5,2026-11-24\r2,paid,7,2026-11-24\r"),
              "2 paid 5.00 USD 2026-11-24 check number=1\n3 paid 7.00 USD 2026-11-24 check number=2\n");
}

TEST(ProfiledCsv, recognizes_our_numbers_by_their_form) {
    ReadOptions options;
    options.office.odfi_identification = "09100001";
    const std::string yaml =
        "format: csv\nheader: false\nreferences:\n  - {kind: end_to_end_id, column: 1}\n  - {kind: any, column: 2}\n"
        "amount: 3\ndate: 4\nstatus: {constant: paid}\n";
    EXPECT_EQ(read_by(yaml, "P0000000001,091000011000000,1.00,2026-11-24\n", options),
              "1 paid 1.00 USD 2026-11-24 payment id=P0000000001 trace number=091000011000000\n");
    EXPECT_EQ(read_by(yaml, "INV-1,021000021000000,1.00,2026-11-24\n", options),
              "1 paid 1.00 USD 2026-11-24 end-to-end id=INV-1 reference=021000021000000\n");
}

// The first fenced block of this language in the handbook.
std::string block_of(const std::string& page, const std::string& language) {
    const std::size_t begin = page.find("```" + language + "\n") + language.size() + 4;
    return page.substr(begin, page.find("```", begin) - begin);
}

TEST(ProfiledCsv, handbook_profile_reads_the_handbook_file) {
    std::ifstream file(DRAWBRIDGE_SOURCE_DIR "/docs/finance.md");
    const std::string page((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    EXPECT_EQ(read_by(block_of(page, "yaml"), block_of(page, "csv")),
              "3 paid 1250.00 USD 2026-11-23 trace number=091000010000001\n"
              "4 returned 300.50 USD 2026-11-24 trace number=091000010000002\n");
}

TEST(ProfiledCsv, reads_amounts_in_the_profiles_format) {
    struct Case {
        const char* amount;  // in the profile
        const char* value;
        const char* says;
    };
    const Case cases[] = {
        {"amount: 3", "1300.50", "1 paid 1300.50"},
        {"amount: 3", "1300", "1 paid 1300.00"},
        {"amount: 3", "\"1,300.50\"", "f.csv:1:12: amount '1,300.50' has a comma"},
        {"amount: 3", "13.005", "is not an amount in dollars and cents"},
        {"amount: 3", "1.3E3", "was rounded by a spreadsheet"},
        {"amount: 3", "", "no amount"},
        {"amount: 3", "13.", "is not an amount"},
        {"amount: 3", ".50", "is not an amount"},
        {"amount: 3", "0.00", "the amount is zero"},
        {"amount: 3", "$5", "has a dollar sign"},
        {"amount: 3", "-5.00", "is negative"},
        {"amount: 3", "(5.00)", "is negative"},
        {"amount: 3", "99999999999999999999", "is not an amount in dollars"},
        {"amount: {column: 3, symbol: $}", "$5", "1 paid 5.00"},
        {"amount: {column: 3, thousands: \",\"}", "\"1,234,567.89\"", "1 paid 1234567.89"},
        {"amount: {column: 3, thousands: \",\"}", "\"1,23\"", "is not an amount"},
        {"amount: {column: 3, thousands: \",\"}", "\"1234,567\"", "is not an amount"},
        {"amount: {column: 3, thousands: \",\"}", "\",567\"", "is not an amount"},
        {"amount: {column: 3, decimal: \",\", thousands: \".\"}", "\"1.234,56\"", "1 paid 1234.56"},
        {"amount: {column: 3, decimal: \",\", thousands: \".\"}", "1234.56", "is not an amount"},
        {"amount: {column: 3, negative: out}\ndirection: {out: paid, in: returned}", "-5.00", "1 paid 5.00"},
        {"amount: {column: 3, negative: out}\ndirection: {out: paid, in: returned}", "5.00-", "1 paid 5.00"},
        {"amount: {column: 3, negative: out}\ndirection: {out: paid, in: returned}", "(5.00)", "1 paid 5.00"},
        {"amount: {column: 3, negative: out}\ndirection: {out: paid, in: returned}", "(-5.00)", "is not an amount"},
    };
    for (const Case& one : cases)
        EXPECT_THAT(read_by(profile(one.amount), "10001,paid," + std::string(one.value) + ",2026-11-24\n"),
                    HasSubstr(one.says))
            << one.amount << " " << one.value;
}

TEST(ProfiledCsv, requires_the_whole_value_to_be_a_date) {
    struct Case {
        const char* format;
        const char* value;
        const char* says;
    };
    const Case cases[] = {
        {"MM/DD/YYYY", "11/24/2026", "2026-11-24"},
        {"MM/DD/YYYY", "24/11/2026", "is not a date written as"},
        {"MM/DD/YYYY", "11/24/2026 10:00", "2026-11-24"},
        {"MM/DD/YYYY", "11/24/2026 10", "is not a date written as"},
        {"MM/DD/YYYY", "11/24/2026 10:5", "is not a date written as"},
        {"MM/DD/YYYY", "11/24/2026 1:05:09.5 PM", "2026-11-24"},
        {"MM/DD/YYYY", "11/24/2026 10:00 -05:00", "is not a date written as"},
        {"MM/DD/YYYY", "1/2/2026", "is not a date written as"},
        {"M/D/YYYY", "1/2/2026", "2026-01-02"},
        {"M/D/YY", "11/24/26", "2026-11-24"},
        {"D-MON-YY", "4-Nov-26", "2026-11-04"},
        {"MMDDYY", "112426", "2026-11-24"},
        {"YYYYMMDD", "20260230", "is not a date written as"},
        {"YYYYMMDD", "", "no date"},
    };
    for (const Case& one : cases)
        EXPECT_THAT(read_by(profile("amount: 3", "date: {column: 4, format: " + std::string(one.format) + "}"),
                            "10001,paid,5," + std::string(one.value) + "\n"),
                    HasSubstr(one.says))
            << one.format << " " << one.value;
    EXPECT_THAT(read_by(profile("amount: 3", "date: {constant: 2026-01-05}"), "10001,paid,5\n"),
                HasSubstr("2026-01-05"));
}

TEST(ProfiledCsv, takes_the_direction_from_a_flag_or_two_columns_and_compares_the_status) {
    const std::string flag = profile("amount: {column: 3, flag: 5, debit_word: DR, credit_word: CR}", "date: 4",
                                     "direction: {out: paid, in: returned}");
    EXPECT_THAT(read_by(flag, "10001,,5,2026-11-24,dr\n"), StartsWith("1 paid 5.00"));
    EXPECT_THAT(read_by(flag, "10001,,5,2026-11-24,CR\n"), StartsWith("1 returned 5.00"));
    EXPECT_THAT(read_by(flag, "10001,,5,2026-11-24,X\n"), HasSubstr("'X' is neither 'DR' nor 'CR'"));
    const std::string two = profile("amount: {debit: 3, credit: 5}", "date: 4", "direction: {out: paid, in: returned}");
    EXPECT_THAT(read_by(two, "10001,,5,2026-11-24,\n"), StartsWith("1 paid 5.00"));
    EXPECT_THAT(read_by(two, "10001,,,2026-11-24,5\n"), StartsWith("1 returned 5.00"));
    EXPECT_THAT(read_by(two, "10001,,5,2026-11-24,0.00\n"), StartsWith("1 paid 5.00"));
    EXPECT_THAT(read_by(two, "10001,,0,2026-11-24,5\n"), StartsWith("1 returned 5.00"));
    EXPECT_THAT(read_by(two, "10001,,0.00,2026-11-24,0.00\n"), HasSubstr("neither a debit nor a credit"));
    EXPECT_THAT(read_by(two, "10001,,5,2026-11-24,5\n"), HasSubstr("both a debit and a credit"));
    EXPECT_THAT(read_by(two, "10001,,5,2026-11-24,x\n"), HasSubstr("both a debit and a credit"));
    EXPECT_THAT(read_by(two, "10001,,,2026-11-24,\n"), HasSubstr("neither a debit nor a credit"));
    const std::string both =
        profile("amount: {column: 3, negative: out}", "date: 4", "status: 2\ndirection: {out: paid, in: returned}");
    EXPECT_THAT(read_by(both, "10001,paid,5,2026-11-24\n"),
                HasSubstr("the status says paid, but the direction of the money returned"));
}

TEST(ProfiledCsv, ignores_no_incoming_money_that_names_a_payment) {
    ReadOptions options;
    options.office.odfi_identification = "09100001";
    options.office.accounts = {*AccountNumber::parse("12345")};
    const auto line = [&](const std::string& kind, const std::string& reference, const std::string& text,
                          const std::string& account = "12345") {
        return read_by("format: csv\nheader: false\nreferences:\n  - {kind: " + kind +
                           ", column: 1}\namount: {debit: 2, credit: 3}\ndirection: {out: paid, in: unrelated}\n"
                           "date: 4\nnote: 5\naccount: 6\n",
                       reference + ",,5," + "2026-11-24," + text + "," + account + "\n10001,7,,2026-11-24,,12345\n",
                       options);
    };
    EXPECT_EQ(
        line("any", "P0000000123", "DEPOSIT"),
        "1 disputed 5.00 USD 2026-11-24 payment id=P0000000123 note='DEPOSIT; money came in, and the line names a "
        "payment: ask the bank whether it is a return'\n2 paid 7.00 USD 2026-11-24 reference=10001\n");
    struct Case {
        const char *kind, *reference, *note, *says;
    };
    const Case cases[] = {
        {"payment_id", "P0000000123", "", "1 disputed 5.00 USD 2026-11-24 payment id=P0000000123 "},
        {"end_to_end_id", "P0000000123", "", "1 disputed 5.00 USD 2026-11-24 payment id=P0000000123 "},
        {"trace_number", "091000010000077", "", "1 disputed 5.00 USD 2026-11-24 trace number=091000010000077 "},
        // They count only if a payment has that number.
        {"check_number", "0010001", "CHECK CREDIT",
         "1 disputed 5.00 USD 2026-11-24 check number=0010001 possible check number=10001 note="},
        {"any", "10001", "", "1 disputed 5.00 USD 2026-11-24 reference=10001 possible check number=10001 note="},
        {"any", "10001", "P0000000123", "1 disputed 5.00 USD 2026-11-24 reference=10001 payment id=P0000000123 note="},
        {"check_number", "", "ACH RETURN 091000010000077 R03",
         "1 disputed 5.00 USD 2026-11-24 trace number=091000010000077 note='ACH RETURN ****0077 R03; money"},
        // Other people's, or none.
        {"trace_number", "021000020000077", "", "1 unrelated 5.00 USD 2026-11-24 trace number=021000020000077\n"},
        {"any", "021000020000077", "", "1 unrelated 5.00 USD 2026-11-24 reference=021000020000077\n"},
        {"end_to_end_id", "4711", "", "1 unrelated 5.00 USD 2026-11-24 end-to-end id=4711\n"},
        {"any", "TRANSFER 7", "", "1 unrelated 5.00 USD 2026-11-24 reference=TRANSFER 7\n"},
        {"check_number", "0000", "INTEREST", "1 unrelated 5.00 USD 2026-11-24 check number=0000 note='INTEREST'\n"},
        {"check_number", "", "INTEREST 10001", "1 unrelated 5.00 USD 2026-11-24 note='INTEREST ****0001'\n"},
    };
    for (const auto& [kind, reference, note, says] : cases)
        EXPECT_THAT(line(kind, reference, note), StartsWith(says)) << kind << " " << reference << " " << note;
    EXPECT_THAT(line("any", "P0000000123", "", "98777"),
                StartsWith("1 unrelated 5.00 USD 2026-11-24 payment id=P0000000123 note='on account ****8777"));
}

TEST(ProfiledCsv, ignores_a_debit_that_names_no_payment) {
    ReadOptions options;
    options.office.odfi_identification = "09100001";
    const std::string yaml =
        profile("amount: {debit: 2, credit: 3}", "date: 4", "direction: {out: paid, in: unrelated}\nnote: 5");
    const auto line = [&](const std::string& number, const std::string& note) {
        return read_by(yaml, number + ",13.00,,2026-11-24," + note + "\n10001,7,,2026-11-24,CHECK\n", options);
    };
    EXPECT_EQ(line("", "SERVICE FEE"),
              "1 unrelated 13.00 USD 2026-11-24 note='SERVICE FEE'\n2 paid 7.00 USD 2026-11-24 check number=10001 "
              "note='CHECK'\n");
    EXPECT_THAT(line("0000", "WIRE"), StartsWith("1 unrelated 13.00 USD 2026-11-24 check number=0000 note='WIRE'\n"));
    EXPECT_THAT(
        line("", "ACH P0000000123"),
        StartsWith("1 disputed 13.00 USD 2026-11-24 payment id=P0000000123 note='ACH P****0123; money went out"));
    EXPECT_THAT(read_by(profile("amount: {debit: 2, credit: 3}", "date: 4", "direction: {out: paid, in: returned}"),
                        ",,13.00,2026-11-24\n"),
                HasSubstr("no payment reference: the line says that a payment of ours was returned, but not which"));
}

TEST(ProfiledCsv, keeps_a_line_that_a_status_word_calls_unrelated) {
    const std::string words = profile("amount: 3", "date: 4", "status: 2\nwords: {paid: [Cleared], unrelated: [Fee]}");
    EXPECT_THAT(read_by(words, "10001,Fee,5,2026-11-24\n"),
                StartsWith("1 unrelated 5.00 USD 2026-11-24 check number=10001\n"));
}

TEST(ProfiledCsv, needs_no_date_or_amount_of_a_line_without_effect) {
    const std::string words =
        profile("amount: 3", "date: 4", "status: 2\nwords: {paid: [Paid], pending: [Outstanding], unrelated: [Fee]}");
    ReadOptions options;
    options.received_on = BusinessDate(std::chrono::year(2026), std::chrono::December, std::chrono::day(1));
    for (const char* none : {"", "0000-00-00"}) {
        const std::string date(none);
        EXPECT_EQ(read_by(words, "10001,Outstanding,5," + date + "\n10002,Paid,6,2026-11-24\n10003,Fee,," + date + "\n",
                          options),
                  "1 pending 5.00 USD 2026-12-01 check number=10001\n2 paid 6.00 USD 2026-11-24 check number=10002\n"
                  "3 unrelated no amount USD 2026-12-01 check number=10003\n");
        EXPECT_THAT(read_by(words, "10001,Paid,5," + date + "\n", options), HasSubstr("f.csv:1:14: "));
    }
    EXPECT_THAT(read_by(words, "10001,Paid,,2026-11-24\n", options), HasSubstr("no amount"));
    EXPECT_THAT(read_by(words, "10001,Outstanding,x,2026-11-24\n", options), HasSubstr("amount 'x'"));
    EXPECT_THAT(read_by(words, "10001,Outstanding,5,24.11.2026\n", options), HasSubstr("is not a date written as"));
    EXPECT_THAT(read_by(words, "10001,Outstanding,5,\n"), HasSubstr("no date"));
}

TEST(ProfiledCsv, shows_a_large_control_total_in_full) {
    const std::string yaml = profile("amount: 3", "date: 4", "status: 2\nskip: {foot: 1}\ncontrol: {total: 2}");
    EXPECT_THAT(read_by(yaml, "1,paid,5,2026-11-24\nfoot,1234567890.00\n"),
                HasSubstr("the control total is 1234567890.00, but the lines add up to 5.00"));
    EXPECT_THAT(read_by(yaml, "1,paid,5,2026-11-24\nfoot,12345678901x\n"),
                HasSubstr("the control total is '12345678901x', but"));
}

TEST(ProfiledCsv, accepts_only_the_status_words_of_the_profile) {
    const std::string words = profile(
        "amount: 3", "date: 4",
        "status: 2\nwords: {paid: [Cleared], returned: [Back], void: [Stop], pending: [Open], unrelated: [Fee]}");
    for (const auto& [word, says] : {std::pair{"CLEARED", "paid"},
                                     {"back", "returned"},
                                     {" Stop ", "void"},
                                     {"Open", "pending"},
                                     {"Fee", "unrelated"}})
        EXPECT_THAT(read_by(words, "10001," + std::string(word) + ",5,2026-11-24\n"),
                    StartsWith("1 " + std::string(says)))
            << word;
    EXPECT_THAT(read_by(words, "10001,paid,5,2026-11-24\n"), HasSubstr("f.csv:1:7: unknown status 'paid'"));
    EXPECT_THAT(read_by(words, ",Cleared,5,2026-11-24\n"),
                HasSubstr("no payment reference: the line says that a payment of ours was paid, but not which"));
    EXPECT_THAT(read_by(words, ",Fee,5,2026-11-24\n"), StartsWith("1 unrelated"));
}

TEST(ProfiledCsv, refuses_a_file_with_a_changed_header) {
    const std::string yaml =
        "format: csv\nheader: [No, Amount, Date]\nreferences:\n  - {kind: check_number, column: No}\namount: "
        "Amount\ndate: Date\nstatus: {constant: paid}\n";
    EXPECT_THAT(read_by(yaml, "no, AMOUNT,Date\n10001,5,2026-11-24\n"), StartsWith("2 paid"));
    EXPECT_THAT(read_by(yaml, "No,Date,Amount\n10001,2026-11-24,5\n"),
                HasSubstr("the header has changed: column 2 is 'date', not 'amount'"));
    EXPECT_THAT(read_by(yaml, "No,Amount,Date,Fee\n10001,5,2026-11-24,1\n"),
                HasSubstr("the header has changed: column 4"));
    const std::string open =
        "format: csv\nreferences:\n  - {kind: check_number, column: No}\namount: Amount\ndate: Date\nstatus: "
        "{constant: paid}\n";
    EXPECT_THAT(read_by(open, "Fee,Date,Amount,No\n1,2026-11-24,5,10001\n"), StartsWith("2 paid"));
    EXPECT_THAT(read_by(open, "No,Amont,Date\n10001,5,2026-11-24\n"),
                HasSubstr("no column is named 'Amount': did you mean 'amont'"));
    EXPECT_THAT(read_by(open, "No,Amount,Amount,Date\n10001,5,5,2026-11-24\n"),
                HasSubstr("two columns are named 'Amount'"));
}

TEST(ProfiledCsv, compares_control_count_and_total) {
    const std::string yaml =
        profile("amount: 3", "date: 4", "status: 2\nskip: {head: 2, foot: 2}\ncontrol: {row: 2, count: 1, total: 2}");
    EXPECT_THAT(read_by(yaml, "A \"title\nsecond\n1,paid,5,2026-11-24\n2,paid,7,2026-11-24\nfoot\n2,12.00\n"),
                StartsWith("3 paid 5.00"));
    EXPECT_THAT(read_by(yaml, "t\nt\n1,paid,5,2026-11-24\nfoot\n2,5.00\n"),
                HasSubstr("f.csv:5:1: the control count is '2', but the number of lines is 1"));
    EXPECT_THAT(read_by(yaml, "t\nt\n1,paid,5,2026-11-24\nfoot\n1,6.00\n"),
                HasSubstr("the control total is 6.00, but the lines add up to 5.00"));
    EXPECT_THAT(read_by(yaml, "t\nt\n1,paid,5,2026-11-24\n"), HasSubstr("without the 2 footer rows of the profile"));
    EXPECT_THAT(read_by(yaml, "t\n"), HasSubstr("the file ends within the 2 lines"));
}

TEST(ProfiledCsv, reads_windows1252_and_refuses_another_encoding) {
    const std::string ansi = profile("amount: 3", "date: 4", "status: 2\nencoding: windows-1252\npayee_name: 5");
    EXPECT_THAT(read_by(ansi, "1,paid,5,2026-11-24,Jos\xE9 \x80\n"), HasSubstr("payee='José €'"));
    EXPECT_THAT(read_by(ansi, "1,paid,5,2026-11-24,\x81\n"), HasSubstr("is undefined in Windows-1252"));
    EXPECT_THAT(read_by(profile(), "1,paid,5,2026-11-24\n2,paid\xE9,5,2026-11-24\n"),
                StartsWith("f.csv:2:7: these bytes are not UTF-8"));
    EXPECT_THAT(read_by(profile(),
                        "\xEF\xBB\xBF"
                        "1,paid,5,2026-11-24\n"),
                StartsWith("1 paid"));
}

TEST(ProfiledCsv, reports_every_bad_line_of_a_long_file) {
    std::string bytes;
    for (int line = 1; line <= 40000; ++line)
        bytes += std::to_string(10000 + line) + (line % 20000 == 7 ? ",paid,x,2026-11-24\n" : ",paid,5,2026-11-24\n");
    const std::string text = read_by(profile(), bytes);
    EXPECT_THAT(text, StartsWith("f.csv:7:12: amount 'x'"));
    EXPECT_THAT(text, HasSubstr("f.csv:20007:12: amount 'x'"));
}

TEST(ProfiledCsv, refuses_a_truncated_line_and_a_rounded_number) {
    EXPECT_THAT(read_by(profile(), "1,paid,5,2026-11-24\n2,paid,5\n"),
                HasSubstr("f.csv:2: 3 fields, but there should be 4"));
    EXPECT_THAT(read_by(profile(), "9.1E+13,paid,5,2026-11-24\n"), HasSubstr("rounded by a spreadsheet"));
    for (const char* reference : {"12E", "E12", "12EX", "12"})
        EXPECT_THAT(read_by(profile(), std::string(reference) + ",paid,5,2026-11-24\n"), StartsWith("1 paid"))
            << reference;
    EXPECT_THAT(read_by(profile(), "1,paid,5,2026-11-24,\"open\n"), HasSubstr("is not closed"));
    EXPECT_THAT(read_by(profile(), std::string(100, '7') + ",paid,5,2026-11-24\n"), StartsWith("1 paid"));
    EXPECT_THAT(read_by(profile(), std::string(101, '7') + ",paid,5,2026-11-24\n"),
                HasSubstr("is not a payment reference"));
}

TEST(ProfiledCsv, refuses_a_head_that_is_a_line) {
    const std::string yaml = profile("amount: 3", "date: 4", "status: 2\nskip: {head: 1}");
    EXPECT_THAT(read_by(yaml, "Acme Bank,,,\n1,paid,5,2026-11-24\n"), StartsWith("2 paid 5.00"));
    EXPECT_THAT(read_by(yaml, "2,returned,7,2026-11-24\n1,paid,5,2026-11-24\n"),
                HasSubstr("f.csv:1: this line, which the profile skips, is a line about a payment"));
    EXPECT_THAT(read_by(profile("amount: 3", "date: 4", "status: 2\nskip: {head: 2}"),
                        "Acme Bank,,,\n2,returned,7,2026-11-24\n1,paid,5,2026-11-24\n"),
                HasSubstr("f.csv:2: this line, which the profile skips, is a line about a payment"));
}

// Money that came in would count as paid.
TEST(ProfiledCsv, needs_the_meaning_of_directions_next_to_a_status) {
    for (const std::string amount : {"amount: {column: 3, negative: out}", "amount: {debit: 3, credit: 5}"}) {
        EXPECT_THAT(read_by(profile(amount), ""),
                    HasSubstr("the amount has a direction, and the profile does not say"));
        const auto yaml = profile(amount, "date: 4", "status: 2\ndirection: {out: paid, in: returned}");
        const std::string says =
            amount.contains("debit") ? "1 paid 5.00" : "the status says paid, but the direction of";
        EXPECT_THAT(read_by(yaml, "1,paid,5,2026-11-24,\n"), HasSubstr(says));
    }
}

// A payment that the bank took back is a minus among the debits.
TEST(ProfiledCsv, gives_a_sign_its_meaning_next_to_two_columns_or_a_flag_too) {
    struct Case {
        const char* amount;
        const char* row;
        const char* says;
    };
    const Case cases[] = {
        {"{debit: 3, credit: 5, negative: in}", "1,returned,-5.00,2026-11-24,", "1 returned 5.00"},
        {"{debit: 3, credit: 5, negative: in}", "1,paid,5.00,2026-11-24,", "1 paid 5.00"},
        {"{debit: 3, credit: 5, negative: in}", "1,paid,-5.00,2026-11-24,", "the status says paid, but the direction"},
        {"{debit: 3, credit: 5, negative: out}", "1,paid,,2026-11-24,(5.00)", "1 paid 5.00"},
        {"{debit: 3, credit: 5}", "1,paid,-5.00,2026-11-24,", "a negative amount in a column that already gives"},
        {"{column: 3, flag: 5, debit_word: DR, credit_word: CR, negative: in}", "1,returned,-5.00,2026-11-24,DR",
         "1 returned 5.00"},
        {"{column: 3, flag: 5, debit_word: DR, credit_word: CR, negative: out}", "1,paid,-5.00,2026-11-24,CR",
         "1 paid 5.00"},
        {"{column: 3, flag: 5, debit_word: DR, credit_word: CR, negative: out}", "1,paid,5.00,2026-11-24,DR",
         "1 paid 5.00"},
    };
    for (const Case& one : cases) {
        const auto yaml =
            profile("amount: " + std::string(one.amount), "date: 4", "status: 2\ndirection: {out: paid, in: returned}");
        EXPECT_THAT(read_by(yaml, std::string(one.row) + "\n"), HasSubstr(one.says)) << one.amount << " " << one.row;
    }
}

TEST(ProfiledCsv, marks_a_line_on_another_account_unrelated) {
    ReadOptions options;
    options.office.accounts = {*AccountNumber::parse("12345")};
    const std::string yaml = profile("amount: 3", "date: 4", "status: 2\naccount: 5");
    for (const char* ours :
         {"0012345", "12-345", "00 123 45", "12345", "'12345", "\"=\"\"12345\"\"\"", "12345 - CHECKING"})
        EXPECT_THAT(read_by(yaml, "1,paid,5,2026-11-24," + std::string(ours) + "\n", options), StartsWith("1 paid"))
            << ours;
    EXPECT_THAT(
        read_by(yaml, "1,paid,5,2026-11-24,12345\n2,paid,5,2026-11-24,98777\n", options),
        HasSubstr("2 unrelated 5.00 USD 2026-11-24 check number=2 note='on account ****8777, not one of ours'"));
    EXPECT_THAT(read_by(yaml, "1,paid,5,2026-11-24,777\n", options), HasSubstr("accounts that are not ours: ****"));
    for (const char* unclear : {"", "1.2E+04", "XXX45", "checking"})
        EXPECT_THAT(
            read_by(yaml, "1,paid,5,2026-11-24,12345\n2,returned,5,2026-11-24," + std::string(unclear) + "\n", options),
            HasSubstr("has fewer than three digits, or was rounded by a spreadsheet"))
            << unclear;
}

}  // namespace
}  // namespace drawbridge::statements
