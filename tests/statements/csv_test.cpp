#include "drawbridge/statements/csv.hpp"

#include <gtest/gtest.h>

namespace drawbridge::statements {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view header = "payment_reference,status,amount,date\n";

std::string read(std::string_view bytes) {
    const auto read = read_confirmation_csv(bytes, "c.csv");
    if (!read) return text::to_string(read.error());
    std::string shown;
    for (const Confirmation& c : *read) {
        shown += std::to_string(c.line) + " " + c.payment_reference + " " + std::string(to_string(c.kind)) + " " +
                 c.amount.to_string() + " " + format_date(c.date) + "\n";
    }
    return shown;
}

TEST(ConfirmationCsv, reads_paid_returned_and_void_with_their_lines) {
    EXPECT_EQ(read("payment_reference,status,amount,date\n"
                   "091000010000001,paid,1250.00,2026-03-04\n"
                   "\n"
                   "10001,returned,0.01,2026-03-05\n"
                   "P0000000003,void,7,2026-02-28\n"),
              "2 091000010000001 paid 1250.00 2026-03-04\n"
              "4 10001 returned 0.01 2026-03-05\n"
              "5 P0000000003 void 7.00 2026-02-28\n");
}

TEST(ConfirmationCsv, accepts_what_spreadsheets_do_to_a_valid_file) {
    const std::string_view cases[] = {
        "payment_reference,status,amount,date\n1,paid,5.00,2026-03-04",
        "\xEF\xBB\xBFpayment_reference,status,amount,date\r\n1,paid,5.00,2026-03-04\r\n",
        "date,amount,status,payment_reference\n2026-03-04,5,paid,1\n",
        "Payment_Reference, Status ,AMOUNT,Date\n 1 ,PAID, 5.0 ,\t2026-03-04\n",
        "\"payment_reference\",\"status\",\"amount\",\"date\"\n\"1\",\"Paid\",\"5.00\",\"2026-03-04\"\n",
        "payment_reference,status,amount,date\n1\xC2\xA0,paid,\xC2\xA0 5.00,2026-03-04\n",
        "payment_reference,status,amount,date\n1,paid,5,2026-03-04\n,,,\n",
    };
    for (const std::string_view bytes : cases)
        EXPECT_EQ(read(bytes), "2 1 paid 5.00 2026-03-04\n") << bytes;
}

TEST(ConfirmationCsv, refuses_a_file_without_confirmations) {
    for (const std::string_view bytes : {"", "\n\n", "\xEF\xBB\xBF"})
        EXPECT_TRUE(read(bytes).starts_with("c.csv: the file is empty")) << bytes;
    EXPECT_TRUE(read(header).starts_with("c.csv: there is no line after the header"));
}

TEST(ConfirmationCsv, refuses_another_header_and_names_the_expected_one) {
    struct Case {
        std::string_view header;
        std::string_view says;
    };
    const Case cases[] = {
        {"payment_reference,status,amount",
         "c.csv:1: missing column 'date': the first line must name the columns "
         "payment_reference,status,amount,date, in any order\n"},
        {"payment_reference,status,amount,date,date",
         "c.csv:1: two columns are named 'date': the first line must name the columns "
         "payment_reference,status,amount,date, in any order\n"},
        {"payment_reference,status,amuont,date",
         "c.csv:1: missing column 'amount': the first line must name the columns "
         "payment_reference,status,amount,date, in any order\n"
         "c.csv:1:26: unknown column 'amuont': did you mean 'amount'?\n"},
        {"payment_reference,status,amount,date,payee",
         "c.csv:1:38: unknown column 'payee': the first line must name the columns "
         "payment_reference,status,amount,date, in any order\n"},
    };
    for (const Case& c : cases)
        EXPECT_EQ(read(std::string(c.header) + "\n1,paid,5.00,2026-03-04\n"), c.says);
}

TEST(ConfirmationCsv, says_which_other_separator_a_file_has) {
    for (const auto& [separator, name] : {std::pair(';', "';'"), {'|', "'|'"}, {'\t', "tabs"}}) {
        std::string bytes(header);
        std::ranges::replace(bytes, ',', separator);
        EXPECT_NE(
            read(bytes + "1\n").find("the columns are separated by " + std::string(name) + ": export it with commas"),
            std::string::npos)
            << separator;
    }
}

TEST(ConfirmationCsv, reports_line_and_column_of_every_bad_value) {
    struct Case {
        std::string_view line;
        std::string_view says;
    };
    const Case cases[] = {
        {",paid,5.00,2026-03-04", "2:1: no payment reference: write the trace number, the check number or"},
        {"9.1000010E+13,paid,5.00,2026-03-04", "2:1: payment reference '9.1000010E+13' was rounded by a spreadsheet"},
        {"\"1\n2\",paid,5.00,2026-03-04", "2:1: '1?2' is not a payment reference"},
        {"1,,5.00,2026-03-04", "2:3: no status"},
        {"1,settled,5.00,2026-03-04", "2:3: unknown status 'settled': write paid, returned or void"},
        {"1,paid,,2026-03-04", "2:8: no amount"},
        {"1,paid,$5.00,2026-03-04", "2:8: amount '$5.00' has a dollar sign: write it like 1234.50, without"},
        {"1,paid,\"1,250.00\",2026-03-04", "2:8: amount '1,250.00' has a comma: write it like 1234.50, without"},
        {"1,paid,-5.00,2026-03-04", "2:8: amount '-5.00' is negative"},
        {"1,paid,(5.00),2026-03-04", "2:8: amount '(5.00)' is negative"},
        {"1,paid,5.001,2026-03-04", "2:8: amount '5.001' is not an amount"},
        {"1,paid,1.25E+3,2026-03-04", "2:8: amount '1.25E+3' was rounded by a spreadsheet"},
        {"1,paid,five,2026-03-04", "2:8: amount 'five' is not an amount"},
        {"1,paid,0.00,2026-03-04", "2:8: the amount is zero"},
        {"1,paid,99999999999999999999,2026-03-04", "2:8: amount '99999999999999999999' is not an amount"},
        {"1,paid,5.00,", "2:13: no date"},
        {"1,paid,5.00,03/04/2026", "2:13: date '03/04/2026' is not a date written as YYYY-MM-DD"},
        {"1,paid,5.00,2026-02-29", "2:13: date '2026-02-29' is not a date written as YYYY-MM-DD"},
        {"1,paid,5.00,2026-03-04T00:00:00Z", "2:13: date '2026-03-04T00:00:00Z' is not a date"},
        {"1,paid,5.00", "2: 3 fields, but there should be 4: the line may be truncated"},
        {"1,paid,1,250.00,2026-03-04",
         "2:17: 5 fields, but there should be 4: quote a value that contains a separator"},
        {"\"1,paid,5.00,2026-03-04", "2:1: this quote is not closed"},
    };
    for (const Case& c : cases) {
        const std::string said = read(std::string(header) + std::string(c.line) + "\n");
        EXPECT_TRUE(said.starts_with("c.csv:" + std::string(c.says))) << said;
        EXPECT_EQ(said.find('\n'), said.size() - 1) << said;
    }
}

TEST(ConfirmationCsv, reports_everything_that_is_wrong_with_a_line) {
    const auto read = read_confirmation_csv(std::string(header) + ",x,0,y\n", "c.csv");
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().size(), 4U) << text::to_string(read.error());
}

TEST(ConfirmationCsv, refuses_a_file_with_one_bad_line_in_a_thousand) {
    std::string bytes(header);
    for (int i = 1; i <= 1000; ++i)
        bytes += std::to_string(10000 + i) + (i == 567 ? ",paid,12.345,2026-03-04\n" : ",paid,12.34,2026-03-04\n");
    const auto read = read_confirmation_csv(bytes, "c.csv");
    ASSERT_FALSE(read);
    ASSERT_EQ(read.error().size(), 1U);
    EXPECT_EQ(read.error()[0].line, 568);
    EXPECT_EQ(read.error()[0].column, 12);
}

TEST(ConfirmationCsv, reports_at_most_a_thousand_bad_lines_and_counts_the_rest) {
    std::string bytes(header);
    for (int i = 0; i < 1500; ++i)
        bytes += "1,paid,x,2026-03-04\n";
    const auto read = read_confirmation_csv(bytes, "c.csv");
    ASSERT_FALSE(read);
    ASSERT_EQ(read.error().size(), 1001U);
    EXPECT_EQ(read.error().back().to_string(), "c.csv: and 500 more");
}

}  // namespace
}  // namespace drawbridge::statements
