#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "statements/nacha_return_sample.hpp"

namespace drawbridge::statements {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(NachaReturns, reads_a_return_with_its_original_trace_reason_and_payment) {
    EXPECT_EQ(
        line_of({}),
        "3 returned 300.00 USD 2026-12-30 trace number=091000010000077 payment id=P0000000123 R03 payee='JANE ROE'\n");
}

// Some banks give a return a trace number of their own, or none.
TEST(NachaReturns, reads_a_return_with_our_payment_id_whatever_its_original_trace) {
    EXPECT_THAT(line_of({.original_trace = "021000020000077"}, office()),
                HasSubstr(" returned 300.00 USD 2026-12-30 trace number=021000020000077 payment id=P0000000123 R03"));
    EXPECT_THAT(line_of({.original_trace = "000000000000000"}, office()),
                HasSubstr(" returned 300.00 USD 2026-12-30 payment id=P0000000123 R03"));
}

// Our payments are credits, so nothing of ours came back.
TEST(NachaReturns, leaves_a_returned_debit_to_a_person) {
    EXPECT_THAT(line_of({.code = "R02", .transaction_code = 26}, office()),
                HasSubstr("disputed 300.00 USD 2026-12-30 trace number=091000010000077 payment id=P0000000123 R02"));
}

// Banks leave out what they don't know, above all when a return is dishonored or contested, or is their own.
TEST(NachaReturns, keeps_an_answer_that_names_no_entry_for_a_person) {
    for (const char nothing : {' ', '0'}) {
        const std::string trace(15, nothing), dfi(8, nothing);
        const auto line = [&](const std::string& code, const std::string& individual_id) {
            return line_of({.code = code,
                            .sec = code[0] == 'C' ? "COR" : "PPD",
                            .change = code[0] == 'C',
                            .original_trace = trace,
                            .individual_id = individual_id,
                            .original_dfi = dfi},
                           office());
        };
        EXPECT_EQ(line("R03", ""), "3 returned 300.00 USD 2026-12-30 R03 payee='JANE ROE'\n");
        for (const char* code : {"R61", "R69", "R71", "R77"})
            EXPECT_THAT(line(code, ""), StartsWith("3 disputed 300.00 USD 2026-12-30 " + std::string(code)));
        EXPECT_THAT(line("C01", ""), StartsWith("3 corrected 0.00 USD 2026-12-30 C01"));
        // The payee's name, the account and the amount match nothing; our payment id does.
        EXPECT_THAT(line("R03", "P0000000123"), StartsWith("3 returned 300.00 USD 2026-12-30 payment id=P0000000123 "));
        EXPECT_THAT(line("R61", "P0000000123"), StartsWith("3 disputed 300.00 USD 2026-12-30 payment id=P0000000123 "));
    }
    // Neither digits nor blank: the record may be shifted.
    EXPECT_THAT(line_of({.original_trace = "  1000010000077"}, office()), StartsWith("r.ach:4:7: "));
    EXPECT_THAT(line_of({.original_dfi = "0910000 "}, office()), StartsWith("r.ach:4:28: "));
}

TEST(NachaReturns, applies_no_return_of_another_company_that_has_a_payment_id_of_ours) {
    for (const bool change : {false, true})
        EXPECT_THAT(line_of({.code = change ? "C01" : "R03", .change = change, .company = "9999999999"}, office()),
                    testing::AllOf(HasSubstr(" disputed "), HasSubstr("of company 9999999999, but")));
}

TEST(NachaReturns, finds_the_year_of_the_settlement_day) {
    struct Case {
        const char* created;
        const char* settlement;
        const char* date;
    };
    const Case cases[] = {
        {"261230", "363", "2026-12-29"}, {"261231", "001", "2027-01-01"}, {"270101", "365", "2026-12-31"},
        {"270104", "004", "2027-01-04"}, {"290101", "366", "2028-12-31"},  // 2028 is a leap year
        {"261230", "000", "2026-12-30"}, {"261230", "999", "2026-12-30"},
    };
    for (const Case& one : cases) {
        Return r;
        r.created = one.created;
        r.settlement = one.settlement;
        EXPECT_THAT(line_of(r), HasSubstr(one.date)) << one.created << " " << one.settlement;
    }
}

TEST(NachaReturns, marks_dishonored_and_contested_returns_disputed) {
    for (const char* code : {"R61", "R62", "R67", "R68", "R69", "R70", "R71", "R77"})
        EXPECT_THAT(line_of({.code = code}), HasSubstr(" disputed 300.00 ")) << code;
    for (const char* code : {"R01", "R23", "R31", "R80", "R85"})
        EXPECT_THAT(line_of({.code = code}), HasSubstr(" returned 300.00 ")) << code;
}

TEST(NachaReturns, applies_no_code_that_nacha_does_not_define) {
    for (const char* code : {"C02", "XYZ", "R3 ", "R00", "R97"})
        EXPECT_THAT(line_of({.code = code}), testing::AllOf(HasSubstr(" disputed 300.00 "), HasSubstr("is no code of")))
            << code;
    for (const char* code : {"R03", "XYZ", "C1 "})
        EXPECT_THAT(line_of({.code = code, .sec = "COR", .change = true}),
                    testing::AllOf(HasSubstr(" disputed 0.00 "), HasSubstr("is no code of a notification")))
            << code;
}

TEST(NachaReturns, says_that_the_bank_rejects_a_record) {
    for (const int line : {1, 2, 3, 4, 5}) {
        std::string bytes = file_of({});
        bytes.replace(static_cast<std::size_t>(line) * 95 + 79, 15, "REJ0603        ");
        EXPECT_EQ(line_of_bytes(bytes),
                  "r.ach:" + std::to_string(line + 1) +
                      ":80: the bank rejects this record (REJ0603): this file says what it did not process: ask it "
                      "which payments it did not make, and hand in a list that says 'returned' for those\n");
    }
    for (const char* line_end : {"\r", "\r\n", ""}) {
        std::string bytes;
        const std::string whole = file_of({});
        for (const char c : whole) {
            if (c == '\n')
                bytes += line_end;
            else
                bytes += c;
        }
        const std::size_t length = 94 + std::string_view(line_end).size();
        bytes.replace(3 * length + 79, 15, "REJ0603        ");
        EXPECT_THAT(line_of_bytes(bytes), StartsWith("r.ach:4:80: the bank rejects this record (REJ0603)")) << length;
    }
    std::string name = file_of({});
    name.replace(2 * 95 + 54, 22, "REJ0603 LTD           ");
    EXPECT_THAT(line_of_bytes(name), StartsWith("3 returned"));
}

// One entry with several addenda: a contested return repeats the first return and its dishonor.
TEST(NachaReturns, applies_no_entry_with_several_codes) {
    struct Case {
        std::vector<std::string> addenda;
        std::string kind, code;
    };
    const Case cases[] = {
        {{"99R07", "99R68", "99R71"}, " disputed ", " R71 "}, {{"99R03", "99R61"}, " disputed ", " R61 "},
        {{"99R71", "99R03"}, " disputed ", " R71 "},          {{"99R03", "99R23"}, " disputed ", " R03 "},
        {{"98C01", "99R03"}, " disputed ", " C01 "},          {{"99R03", "99R03"}, " returned ", " R03 "},
    };
    for (const Case& one : cases) {
        std::string file = file_of({});
        const std::size_t at = file.find("799R03");
        const std::string addenda = file.substr(at, 95);
        file.erase(at, 95);
        for (std::size_t i = one.addenda.size(); i-- > 0;)
            file.insert(at, "7" + one.addenda[i] + addenda.substr(6));
        const std::string count = std::to_string(one.addenda.size() + 1);
        file.replace(file.find("8200000002"), 10, "820000000" + count);
        file.replace(file.find("90000010000010000000"), 21, "90000010000010000000" + count);
        EXPECT_THAT(line_of_bytes(file), testing::AllOf(HasSubstr(one.kind), HasSubstr(one.code))) << one.code;
    }
}

TEST(NachaReturns, accepts_lowercase_codes) {
    EXPECT_EQ(line_of({.code = "r03"}), line_of({.code = "R03"}));
    EXPECT_EQ(line_of({.code = "r61"}), line_of({.code = "R61"}));
}

TEST(NachaReturns, reads_notifications_of_change_and_refused_ones) {
    Return noc;
    noc.change = true;
    noc.sec = "COR";
    noc.code = "C03";
    noc.addenda_information = "091000019   1918171614";
    EXPECT_THAT(line_of(noc), HasSubstr("corrected 0.00 USD 2026-12-30 trace number=091000010000077 payment "
                                        "id=P0000000123 C03 corrected='091000019   1918171614'"));
    noc.code = "C61";
    EXPECT_THAT(line_of(noc), HasSubstr("disputed 0.00"));
}

TEST(NachaReturns, notes_the_date_of_death_and_a_debit) {
    EXPECT_THAT(line_of({.code = "R15", .date_of_death = "261101"}), HasSubstr("date of death 2026-11-01"));
    EXPECT_THAT(line_of({.transaction_code = 26}), HasSubstr("a returned debit"));
}

TEST(NachaReturns, reads_an_iat_return) {
    Return iat;
    iat.sec = "IAT";
    EXPECT_THAT(line_of(iat), HasSubstr("returned 300.00 USD 2026-12-30 trace number=091000010000077"));
}

TEST(NachaReturns, reads_international_returns_and_notifications_of_change) {
    const std::string text = shown(sample("iat-returns.ach"), "r.ach");
    EXPECT_THAT(text, HasSubstr("3 returned 1000.00 USD 2026-11-20 trace number=091000010000001 R03"));
    EXPECT_THAT(text, HasSubstr("corrected 0.00 USD 2026-11-20 trace number=091000010000002 C01"));
    EXPECT_EQ(text.find("123456789"), std::string::npos) << "the account is where others have the name";
}

TEST(NachaReturns, never_applies_dishonored_contested_or_refused_records) {
    const std::string text = shown(sample("disputes.ach"), "r.ach");
    for (const char* code : {" R69", " R73", " C62"})
        EXPECT_THAT(text, HasSubstr(code));
    EXPECT_THAT(text, testing::Not(HasSubstr(" returned 1250")));
    EXPECT_THAT(text, testing::Not(HasSubstr(" corrected ")));
    EXPECT_THAT(text, testing::Not(HasSubstr("date of death")));
}

TEST(NachaReturns, refuses_accounting_advices_with_an_explanation) {
    EXPECT_THAT(shown(sample("adv.ach"), "r.ach"), HasSubstr("r.ach:3:1: an automated accounting advice (ADV)"));
}

}  // namespace
}  // namespace drawbridge::statements
