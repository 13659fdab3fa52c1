#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "statements/shown.hpp"

namespace drawbridge::statements {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// A file with these lines in its one account; the trailers contain the given values.
std::string file_of(const std::string& lines, long total, int records, const std::string& currency = "USD") {
    return "01,BANK,OFFICE,261124,0800,7,,,2/\n02,OFFICE,BANK,1,261123,,USD,2/\n03,12345," + currency + ",,,,/\n" +
           lines + "49," + std::to_string(total) + "," + std::to_string(records + 2) + "/\n98," +
           std::to_string(total) + ",1," + std::to_string(records + 4) + "/\n99," + std::to_string(total) + ",1," +
           std::to_string(records + 6) + "/\n";
}

std::string lines_of(const std::string& lines, long total, int records, const ReadOptions& options = {},
                     const std::string& currency = "USD") {
    const std::string text = shown(file_of(lines, total, records, currency), "b.bai", options);
    return text.starts_with("bai2 ") ? text.substr(text.find('\n') + 1) : text;
}

// Every type that can name a payment of ours, by direction: 100-399 are credits, 400-699 debits.
TEST(Bai2, reads_each_type_by_the_direction_of_its_money) {
    ReadOptions options;
    options.office.odfi_identification = "09100001";
    struct Case {
        const char* types;  // separated by spaces
        const char* fields;
        const char* says;
    };
    const Case cases[] = {
        // debits: our money left
        {"475", "Z,,10001,CHECK PAID", "paid 300.00 USD 2026-11-23 check number=10001"},
        {"475", "0,10001,,CHECK PAID", "paid 300.00 USD 2026-11-23 check number=10001"},
        {"475", "0,10001,0000000000,CHECK PAID", "paid 300.00 USD 2026-11-23 check number=10001"},
        {"447 451 452 455 462 464 466 469", "Z,,091000010000077,ACH",
         "paid 300.00 USD 2026-11-23 trace number=091000010000077"},
        {"447 451 452 455 462 464 466 469", "Z,,,DRAWPMT P0000000123 JANE",
         "paid 300.00 USD 2026-11-23 payment id=P0000000123"},
        {"447 451 452 455 462 464 466 469", "Z,,,LUMP SUM OF A FILE", "unrelated 300.00"},
        // credits: it came back
        {"255", "Z,,10001,RETURNED CHECK", "returned 300.00 USD 2026-11-23 check number=10001"},
        {"257 261", "Z,091000010000077,,RETURN R03 NO ACCOUNT",
         "returned 300.00 USD 2026-11-23 trace number=091000010000077 R03"},
        {"257 261", "Z,,,ACH RETURN", "returned 300.00 USD 2026-11-23 note="},
        // debits that take more money, and credits that are not returns: nothing is applied
        {"468 552 554 555 557 558 561", "Z,,091000010000077,RETURN R03 NO ACCOUNT",
         "disputed 300.00 USD 2026-11-23 trace number=091000010000077 R03"},
        {"168 252 253 254 258 266 268", "Z,,,DRAWPMT P0000000123", "disputed 300.00 USD 2026-11-23 payment id=P00000"},
        {"168 252 253 254 258 266 268 468 552 554 555 557 558 561", "Z,,,OF OTHER BUSINESS", "unrelated 300.00"},
        {"395", "Z,,10001,CHECK REVERSAL", "disputed 300.00 USD 2026-11-23 check number=10001"},
        // any other type: a person looks at it if it names a payment of ours
        {"108 142 165 169 175 195 301 354 399 409 495 698 721", "Z,,,DEPOSIT P0000000123",
         "disputed 300.00 USD 2026-11-23 payment id=P0000000123"},
        {"142 409", "Z,091000010000077,,ACH", "disputed 300.00 USD 2026-11-23 trace number=091000010000077"},
        {"142 165 195 399 495 698", "Z,021000020000077,10001,DEPOSIT", "unrelated 300.00"},
    };
    for (const Case& one : cases) {
        std::istringstream types(one.types);
        for (std::string type; types >> type;) {
            const std::string line = "16," + type + ",30000," + one.fields + "/\n";
            EXPECT_THAT(lines_of(line, 30000, 1, options), StartsWith(std::string("4 ") + one.says)) << line;
        }
    }
    EXPECT_THAT(lines_of("16,475,-30000,Z,,10001,REVERSED/\n", -30000, 1, options), StartsWith("4 disputed 300.00"));
}

// A bank may book a check under another type: the matcher compares number and amount with our checks.
TEST(Bai2, keeps_a_number_of_an_unrelated_debit_that_may_be_a_checks) {
    for (const char* type : {"455", "472", "474", "495", "581", "695"}) {
        const std::string line = "16," + std::string(type) + ",30000,Z,,";
        EXPECT_THAT(lines_of(line + "10001,PAID/\n", 30000, 1),
                    StartsWith("4 unrelated 300.00 USD 2026-11-23 possible check number=10001 note="))
            << type;
        EXPECT_THAT(lines_of(line + ",Check Serial Number: 0010001/\n", 30000, 1),
                    StartsWith("4 unrelated 300.00 USD 2026-11-23 possible check number=10001 note="))
            << type;
        EXPECT_THAT(lines_of(line + "12345678901,PAID/\n", 30000, 1),
                    StartsWith("4 unrelated 300.00 USD 2026-11-23 note="));
    }
    EXPECT_THAT(lines_of("16,395,30000,Z,,,DEPOSIT/\n", 30000, 1), Not(HasSubstr("possible")));
    EXPECT_THAT(lines_of("16,301,30000,Z,,10001,DEPOSIT/\n", 30000, 1), Not(HasSubstr("possible")));
    ReadOptions elsewhere;
    elsewhere.office.accounts = {AccountNumber::parse("99999").value()};
    elsewhere.office.check_accounts = elsewhere.office.accounts;
    EXPECT_THAT(lines_of("16,474,30000,Z,,10001,PAID/\n", 30000, 1, elsewhere), Not(HasSubstr("possible")));
    elsewhere.office.accounts.push_back(AccountNumber::parse("12345").value());
    EXPECT_THAT(lines_of("16,474,30000,Z,,10001,PAID/\n", 30000, 1, elsewhere), Not(HasSubstr("possible")))
        << "no check is drawn on this account";
}

TEST(Bai2, keeps_a_trace_number_of_ours_that_lost_its_leading_zero) {
    const auto line = [](const std::string& reference, const std::string& text, ReadOptions options = {}) {
        options.office.odfi_identification = "09100001";
        return shown(file_of("16,451,30000,Z,," + reference + "," + text + "/\n", 30000, 1), "b.bai", options);
    };
    for (const auto& [reference, text] : {std::pair("91000010000082", "RENT"), {"", "RENT 91000010000082"}})
        EXPECT_THAT(line(reference, text),
                    HasSubstr("unrelated 300.00 USD 2026-11-23 possible check number=091000010000082 "));
    EXPECT_THAT(line("", "RENT 21000020000082"), HasSubstr("unrelated 300.00 USD 2026-11-23 note="));
}

TEST(Bai2, reads_a_check_number_with_its_label) {
    for (const char* number : {"#10001", "CHK10001", "CHECK 10001", "Check No. 10001"})
        EXPECT_THAT(lines_of("16,475,500,Z,REF1," + std::string(number) + ",PAID/\n", 500, 1),
                    StartsWith("4 paid 5.00 USD 2026-11-23 check number=10001 bank reference=REF1"))
            << number;
}

TEST(Bai2, reads_a_continuation_that_is_empty_or_has_a_blank_before_its_comma) {
    const std::string usual = lines_of("16,475,500,Z,,10001,PAID/\n88,MORE/\n", 500, 2);
    EXPECT_EQ(lines_of("16,475,500,Z,,10001,PAID/\n88 ,MORE/\n", 500, 2), usual);
    EXPECT_EQ(lines_of("16,475,500,Z,,10001,PAID/\n88/\n88,MORE/\n", 500, 3), usual);
    EXPECT_THAT(lines_of("16,475,500,Z,,10001,PAID/\n88\n88,MORE/\n", 500, 3), HasSubstr("without a record code"));
}

TEST(Bai2, keeps_the_banks_reference_of_what_it_paid) {
    EXPECT_THAT(lines_of("16,475,500,Z,REF1,10001,PAID/\n", 500, 1),
                StartsWith("4 paid 5.00 USD 2026-11-23 check number=10001 bank reference=REF1 "));
    for (const char* none : {"", "0000", "10001"})
        EXPECT_THAT(lines_of("16,475,500,Z," + std::string(none) + ",10001,PAID/\n", 500, 1),
                    StartsWith("4 paid 5.00 USD 2026-11-23 check number=10001 note="))
            << none;
    EXPECT_THAT(lines_of("16,255,500,Z,REF1,10001,BACK/\n", 500, 1),
                StartsWith("4 returned 5.00 USD 2026-11-23 check number=10001 note="));
}

// A wrong code may pause all payments: R24 is a duplicate entry.
TEST(Bai2, takes_a_reason_code_only_from_an_unambiguous_text_of_an_ach_return) {
    struct Case {
        const char *type, *text, *code;
    };
    const Case cases[] = {
        {"255", "RETURNED LANDLORD ONE UNIT R24 REASON REFER TO MAKER", ""},
        {"255", "RETURN REASON R24", ""},
        {"395", "CHECK REVERSAL R24", ""},
        {"257", "RETURN JANE DOE UNIT R24 REASON R03 NO ACCOUNT", "R03"},
        {"257", "R03 JANE DOE UNIT R24", ""},
        {"257", "RETURN R24 REASON R03", ""},
        {"257", "REASON R03 UNIT R24 CODE R03", "R03"},
        {"257", "R03 NO ACCOUNT R03", "R03"},
        {"257", "UNIT R24, Reason: \"R02\"", "R02"},
        {"257", "UNIT R24 rtn R02", "R02"},
        {"257", "UNIT R24 Return Reason Code:R02", "R02"},
        {"257", "UNIT R24 RETURN, R02", ""},
        {"257", "Reason: \"R02\"", "R02"},
        {"257", "XR02 R021 R2", ""},
        {"261", "UNIT R24 RETURNS R02", ""},
        {"557", "RETURN R03 UNIT R24", "R03"},
    };
    for (const Case& one : cases) {
        const std::string line = "16," + std::string(one.type) + ",500,Z,REF1,10005,P0000000123 " + one.text + "/\n";
        const std::string code = *one.code != '\0' ? " " + std::string(one.code) : "";
        EXPECT_THAT(lines_of(line, 500, 1), testing::AnyOf(HasSubstr("payment id=P0000000123" + code + " note="),
                                                           HasSubstr("check number=10005" + code + " note=")))
            << line;
    }
}

// The file's account is 12345.
TEST(Bai2, takes_no_check_of_another_account_for_ours) {
    const auto with_account = [](const char* drawn_on) {
        ReadOptions options;
        options.office.check_accounts = {AccountNumber::parse(drawn_on).value()};
        return options;
    };
    const std::string check = "16,475,500,Z,,10001,PAID/\n", back = "16,255,500,Z,,10001,BACK/\n";
    EXPECT_THAT(lines_of(check, 500, 1, with_account("0012345")), StartsWith("4 paid 5.00"));
    for (const std::string& line : {check, back}) {
        EXPECT_THAT(lines_of(line, 500, 1, with_account("4400123456")), StartsWith("4 unrelated 5.00"));
        EXPECT_THAT(lines_of(line, 500, 1, with_account("4400123456")), HasSubstr("on account ****2345, not one of"));
    }
    EXPECT_THAT(lines_of("16,455,500,Z,,,ACH P0000000123/\n", 500, 1, with_account("4400123456")),
                StartsWith("4 paid 5.00"))
        << "credits may be on another account than checks";
    const auto masked = [&](const std::string& account) {
        std::string file = file_of(check, 500, 1);
        file.replace(file.find("12345"), 5, account);
        const std::string text = shown(file, "b.bai", with_account("4400123456"));
        return text.substr(text.find('\n') + 1);
    };
    for (const char* ours : {"XXXX3456", "******3456", "x456"})
        EXPECT_THAT(masked(ours), StartsWith("4 paid 5.00")) << ours;
    for (const char* other : {"XXXX3457", "XXXXXX56", "XXXX"})
        EXPECT_THAT(masked(other), StartsWith("4 unrelated 5.00")) << other;
    const auto read = read_statement(file_of(check + check, 1000, 2), "b.bai", with_account("4400123456"),
                                     [](const Confirmation&) {});
    ASSERT_TRUE(read);
    EXPECT_EQ(read->remarks, std::vector<std::string>{"checks on account ****2345 have no effect: "
                                                      "no check of this office is drawn on it"});
}

TEST(Bai2, accepts_every_funds_type) {
    for (const char* funds : {"", "Z", "0", "1", "2", "S,100,200,300", "V,261125,1200", "V,261125,", "D,2,0,100,1,200"})
        EXPECT_THAT(lines_of("16,475,500," + std::string(funds) + ",,10001,TEXT/\n", 500, 1),
                    StartsWith("4 paid 5.00 USD 2026-11-23 check number=10001 note='475 TEXT'"))
            << funds;
    EXPECT_THAT(lines_of("16,475,500,Q,,10001,TEXT/\n", 500, 1), HasSubstr("b.bai:4:1: unknown funds type 'Q'"));
    EXPECT_THAT(lines_of("16,475,500,D,x,10001,TEXT/\n", 500, 1), HasSubstr("funds type D without a number"));
}

TEST(Bai2, keeps_slashes_and_commas_of_text_across_continuations) {
    EXPECT_THAT(
        lines_of("16,475,500,Z,,10001,PAID 11/16,500 A/B, C    /\n88,AND MORE/\n88,TO THE END\n", 500, 3),
        StartsWith(
            "4 paid 5.00 USD 2026-11-23 check number=10001 note='475 PAID 11/16,500 A/B, C AND MORE TO THE END'"));
    EXPECT_EQ(lines_of("16,475,500,Z,,10001,PAID\n88,\n88,AND MORE/\n", 500, 3),
              lines_of("16,475,500,Z,,10001,PAID\n88,AND MORE/\n", 500, 2))
        << "an empty continuation";
    EXPECT_THAT(lines_of("16,475,500,Z/\n88,,10001,TEXT/\n", 500, 2),
                StartsWith("4 paid 5.00 USD 2026-11-23 check number=10001"));
}

TEST(Bai2, joins_a_wrapped_record_byte_for_byte) {
    ReadOptions options;
    options.office.odfi_identification = "09100001";
    struct Case {
        const char* lines;
        const char* says;
    };
    const Case cases[] = {
        {"16,475,500,Z,REF1,1000\n5,CHECK PAID/\n", "check number=10005 bank reference=REF1 note='475 CHECK PAID'"},
        {"16,451,500,Z,,09100001000\n0001,ACH/\n", "trace number=091000010000001 note='451 ACH'"},
        {"16,451,500,Z,,,DRAWPMT \nP0000000123 JANE/\n", "payment id=P0000000123 note='451 DRAWPMT P****0123 JANE'"},
        {"16,451,500,Z,,,DRAWPMT\n P0000000123 JANE/\n", "payment id=P0000000123 note='451 DRAWPMT P****0123 JANE'"},
        {"16,451,500,Z,,,DRAWPMT P00000\n00123\r\n JANE  /  \n",
         "payment id=P0000000123 note='451 DRAWPMT P****0123 JANE'"},
        {"16,475,5\n00,Z,,10005,A/\n", "check number=10005 note='475 A'"},
        {"16,475,500,\nZ,,10005,A\n", "check number=10005 note='475 A'"},
        {"16,475,500,Z\n,,10005,A\n", "check number=10005 note='475 A'"},
        {"16,47\n5,500,V,2611\n23,12\n00,,100\n05,A/\n", "check number=10005 note='475 A'"},
    };
    for (const Case& one : cases)
        EXPECT_THAT(lines_of(one.lines, 500, 1, options), testing::AllOf(HasSubstr("paid 5.00"), HasSubstr(one.says)))
            << one.lines;
    EXPECT_THAT(lines_of("16,475,500,Z,,100\n05,A \n88,B\n C/\n", 500, 2),
                HasSubstr("check number=10005 note='475 A B C'"))
        << "an 88 may be wrapped, too";
    EXPECT_THAT(lines_of("16,475,500,Z,,10005,A/\nB/\n", 500, 1), HasSubstr("a line without a record code"));
}

TEST(Bai2, a_line_end_anywhere_changes_nothing_or_refuses_the_file) {
    ReadOptions options;
    options.office.odfi_identification = "09100001";
    const auto lines_without_numbers = [&](const std::string& file) {
        std::string lines;
        const auto read = read_statement(file, "b.bai", options, [&](Confirmation c) {
            c.line = 0;
            lines += shown(c);
        });
        return read ? lines : "refused";
    };
    const std::string file = file_of(
        "16,475,2164200,Z,REF1,10005,CHECK PAID 11/12 A/\n16,451,30000,Z,,091000010000001,ACH DRAWPMT P0000000123 JANE/"
        "\n88,AND MORE/\n16,257,700,V,261123,1200,,,P0000000124 REASON R03/\n",
        2194900, 4);
    const std::string expected = lines_without_numbers(file);
    EXPECT_THAT(expected, HasSubstr("returned 7.00 USD 2026-11-23 payment id=P0000000124 R03"));
    for (std::size_t at = 3; at < file.size(); ++at) {
        for (const char* end : {"\n", "\r\n"})
            EXPECT_THAT(lines_without_numbers(std::string(file).insert(at, end)), testing::AnyOf(expected, "refused"))
                << file.substr(0, at);
    }
}

TEST(Bai2, finds_a_reference_that_two_continuations_share) {
    EXPECT_THAT(lines_of("16,451,500,Z,,,GRANT PAYMENT P00000\n88,00123 JANE DOE/\n", 500, 2),
                StartsWith("4 paid 5.00 USD 2026-11-23 payment id=P0000000123"));
    EXPECT_THAT(lines_of("16,399,500,Z,,,P00000\n88,00123/\n", 500, 2), StartsWith("4 disputed 5.00"));
    EXPECT_THAT(lines_of("16,451,500,Z,,,P0000000123\n88,P00000\n88,00124/\n", 500, 3),
                StartsWith("4 paid 5.00 USD 2026-11-23 payment id=P0000000123 note="))
        << "a whole one comes first";
    EXPECT_THAT(lines_of("16,451,500,Z,,,P0000000123\n88,4 MORE/\n", 500, 2),
                HasSubstr("payment id=P0000000123 note="));
}

TEST(Bai2, reads_padded_lines_and_several_records_per_line) {
    EXPECT_EQ(lines_of("16,475,500,Z,,10001,A/   16,475,700,Z,,10002,B/      \r\n", 1200, 2),
              "4 paid 5.00 USD 2026-11-23 check number=10001 note='475 A'\n4 paid 7.00 USD 2026-11-23 check "
              "number=10002 note='475 B'\n");
}

// Each line padded to `length`, then `end`.
std::string in_fixed_lines(const std::string& file, const std::string& end, std::size_t length = 80) {
    std::istringstream in(file);
    std::string fixed;
    for (std::string line; std::getline(in, line);) {
        EXPECT_LE(line.size(), length);
        line.resize(length, ' ');
        fixed += line + end;
    }
    return fixed;
}

TEST(Bai2, reads_lines_of_80_characters_with_or_without_line_ends) {
    // A text without a slash, one that fills its line, and one that continues.
    const std::string full = "16,475,900,Z,,10003,";
    const std::string usual = file_of("16,475,500,Z,,10001,NO SLASH\n16,475,700,Z,,10002,TEXT\n88,AND MORE\n" + full +
                                          std::string(79 - full.size(), 'X') + "/\n16,475,100,Z,,10004,16,475,5/\n",
                                      2200, 5);
    const std::string expected = shown(usual, "b.bai");
    EXPECT_THAT(expected, HasSubstr("4 paid 5.00 USD 2026-11-23 check number=10001 note='475 NO SLASH'"));
    EXPECT_THAT(expected, HasSubstr("8 paid 1.00 USD 2026-11-23 check number=10004"));
    for (const char* end : {"", "\n", "\r\n"})
        EXPECT_EQ(shown(in_fixed_lines(usual, end), "b.bai"), expected);
    const std::string fixed = in_fixed_lines(usual, "");
    EXPECT_EQ(shown(fixed + "\r\n", "b.bai"), expected);
    EXPECT_EQ(shown(fixed + std::string(160, ' '), "b.bai"), expected) << "blank lines up to a block";
}

TEST(Bai2, reads_lines_of_the_length_that_the_file_header_states) {
    const auto file = [](const std::string& stated) {
        std::string text = file_of("16,475,500,Z,,10001,NO SLASH\n16,475,700,Z,,10002,TEXT\n88,AND MORE\n", 1200, 3);
        return text.replace(text.find("7,,,2/"), 6, "7," + stated + ",,2/");
    };
    const std::string expected = shown(file(""), "b.bai");
    EXPECT_THAT(expected, HasSubstr("5 paid 7.00 USD 2026-11-23 check number=10002 note='475 TEXT AND MORE'"));
    for (const std::size_t length : {40UL, 65UL, 80UL, 100UL, 132UL}) {
        const std::string fixed = in_fixed_lines(file(std::to_string(length)), "", length);
        EXPECT_EQ(shown(fixed, "b.bai"), expected) << length;
        EXPECT_EQ(shown(fixed + "\r\n", "b.bai"), expected) << length;
        for (std::size_t at = 0; at < fixed.size(); at += length)
            EXPECT_THAT(shown(std::string(fixed).erase(at, length), "b.bai"), StartsWith("b.bai"))
                << length << " " << at;
    }
    // A file of 80 characters, whatever it states; and a stated length that means nothing.
    for (const char* stated : {"", "0", "100", "065", "999999", "x"}) {
        EXPECT_EQ(shown(in_fixed_lines(file(stated), ""), "b.bai"), expected) << stated;
        EXPECT_EQ(shown(file(stated), "b.bai"), expected) << stated;
    }
}

TEST(Bai2, refuses_a_damaged_file_of_80_character_lines) {
    const std::string fixed = in_fixed_lines(file_of("16,475,500,Z,,10001,A\n16,475,700,Z,,10002,B\n", 1200, 2), "");
    EXPECT_THAT(shown(fixed, "b.bai"), HasSubstr("5 paid 7.00"));
    for (std::size_t line = 0; line * 80 < fixed.size(); ++line)
        EXPECT_THAT(shown(std::string(fixed).erase(line * 80, 80), "b.bai"), StartsWith("b.bai")) << line;
    const std::string amount = std::string(fixed).erase(fixed.find("700"), 1);
    EXPECT_THAT(shown(amount, "b.bai"), StartsWith("b.bai"));
}

TEST(Bai2, takes_an_amount_after_a_slash_in_a_text_for_text) {
    for (const std::string text : {"16,500 TEXT", "01,500 TEXT", "02,500 TEXT", "03,500 TEXT", "88,000 USD"}) {
        EXPECT_EQ(lines_of("16,475,500,Z,,10001,REF 12/ " + text + "/\n", 500, 1),
                  "4 paid 5.00 USD 2026-11-23 check number=10001 note='475 REF 12/ " + text + "'\n");
    }
}

TEST(Bai2, reads_any_line_end) {
    const std::string usual = file_of("16,475,500,Z,,10001,A/\n", 500, 1);
    for (const std::string end : {"\r", "\r\n"}) {
        std::string text;
        for (const char c : usual)
            text += c == '\n' ? end : std::string(1, c);
        EXPECT_EQ(shown(text, "b.bai"), shown(usual, "b.bai"));
    }
}

TEST(Bai2, reads_records_without_line_ends) {
    const std::string usual = file_of("16,475,500,Z,,10001,PAID 11/23 BY A/B/\n88,16,500/\n", 500, 2);
    std::string joined = usual;
    std::erase(joined, '\n');
    const std::string expected = "paid 5.00 USD 2026-11-23 check number=10001 note='475 PAID 11/23 BY A/B 16,500'";
    for (const std::string& text : {usual, joined, joined + "\r\n"})
        EXPECT_THAT(shown(text, "b.bai"), HasSubstr(expected));
}

TEST(Bai2, refuses_totals_and_counts_that_do_not_add_up) {
    EXPECT_THAT(lines_of("16,475,500,Z,,10001,A/\n", 501, 1),
                HasSubstr("b.bai:5:1: the account control total is 501, but the preceding records add up to 500"));
    EXPECT_THAT(lines_of("16,475,500,Z,,10001,A/\n", 500, 2),
                HasSubstr("the number of records is 4, but the preceding records add up to 3"));
    const std::string whole = file_of("16,475,500,Z,,10001,A/\n", 500, 1);
    for (const char* trailer : {"49,", "98,", "99,"}) {
        std::string cut = whole;
        const std::size_t at = cut.find("\n" + std::string(trailer)) + 1;
        cut.erase(at, cut.find('\n', at) - at + 1);
        EXPECT_THAT(shown(cut, "b.bai"), StartsWith("b.bai:")) << trailer;
    }
    for (std::size_t length = whole.find("02,"); length + 2 < whole.size(); ++length) {
        const auto read =
            read_statement(std::string_view(whole).substr(0, length), "b.bai", {}, [](const Confirmation&) {});
        EXPECT_FALSE(read) << "truncated after " << length;
    }
}

TEST(Bai2, shows_a_wrong_total_in_full_but_no_longer_number) {
    const auto with_total = [](const std::string& total) {
        std::string text = file_of("16,475,500,Z,,10001,A/\n", 500, 1);
        return shown(text.replace(text.find("49,500"), 6, "49," + total), "b.bai");
    };
    for (const char* total : {"1234560001", "-1234560001", "+000000000000501", "123456789012345"})
        EXPECT_THAT(with_total(total), HasSubstr("the account control total is " + std::string(total) + ", but the"));
    EXPECT_THAT(with_total("1234567890123456"), HasSubstr("total is '****3456', but the"));
    EXPECT_THAT(with_total("X1234560001"), HasSubstr("total is 'X****0001', but the"));
    EXPECT_THAT(with_total("--1234560001"), HasSubstr("total is '--****0001', but the"));
}

TEST(Bai2, reports_a_line_on_another_account_or_currency) {
    ReadOptions options;
    options.office.accounts = {*AccountNumber::parse("0012345")};
    EXPECT_THAT(lines_of("16,475,500,Z,,10001,A/\n", 500, 1, options), StartsWith("4 paid"));
    options.office.accounts = {*AccountNumber::parse("54321")};
    EXPECT_THAT(lines_of("16,475,500,Z,,10001,A/\n", 500, 1, options),
                StartsWith("b.bai: the file only mentions accounts that are not ours: ****2345"));
    const std::string two_accounts =
        "01,BANK,OFFICE,261124,0800,7,,,2/\n02,OFFICE,BANK,1,261123,,USD,2/\n"
        "03,12345,USD,,,,/\n16,475,500,Z,,10001,A/\n49,500,3/\n"
        "03,000054321,USD,,,,/\n16,475,700,Z,,10002,B/\n49,700,3/\n98,1200,2,8/\n99,1200,1,10/\n";
    EXPECT_EQ(shown(two_accounts, "b.bai", options),
              "bai2 '7' 2026-11-24: 2 lines, paid 7.00, returned 0.00\n"
              "4 unrelated 5.00 USD 2026-11-23 check number=10001 note='475 A; on account ****2345, not one of ours'\n"
              "7 paid 7.00 USD 2026-11-23 check number=10002 note='475 B'\n");
    EXPECT_THAT(lines_of("16,475,500,Z,,10001,A/\n", 500, 1, {}, "CAD"), StartsWith("4 paid 5.00 CAD"));
}

TEST(Bai2, applies_no_deleted_and_no_test_group) {
    std::string file = file_of("16,475,500,Z,,10001,A/\n", 500, 1);
    const auto at = file.find("BANK,1,") + 5;
    file[at] = '3';
    EXPECT_THAT(shown(file, "b.bai"), HasSubstr("4 paid 5.00"));
    file[at] = '2';
    // Its line may be applied already.
    EXPECT_THAT(shown(file, "b.bai"), HasSubstr("4 disputed 5.00 USD 2026-11-23 check number=10001 note='475 A; the "
                                                "bank deleted this group"));
    EXPECT_THAT(shown(std::string(file).replace(file.find("16,475"), 6, "16,698"), "b.bai"),
                HasSubstr("4 unrelated 5.00 USD 2026-11-23 note='698 A; of a deleted group'"));
    file[at] = '4';
    EXPECT_THAT(shown(file, "b.bai"), HasSubstr("4 unrelated 5.00 USD 2026-11-23 check number=10001 note='475 A; of a "
                                                "test'"));
}

// The as-of-date modifier of a group: 1 and 3 are interim, 2 and 4 final, of the previous and the same day.
TEST(Bai2, only_records_what_an_interim_report_lists) {
    const auto with_modifier = [](const std::string& modifier) {
        std::string file = file_of(
            "16,475,500,Z,REF1,10001,A/\n16,257,700,Z,,,P0000000123 R03/\n16,557,800,Z,,,P0000000123/\n"
            "16,142,900,Z,,,DEPOSIT/\n",
            2900, 4);
        return file.replace(file.find("USD,2/"), 6, "USD," + modifier + "/");
    };
    const auto remarks_of = [](const std::string& file) {
        const auto read = read_statement(file, "b.bai", {}, [](const Confirmation&) {});
        return read ? read->remarks : std::vector<std::string>{"refused"};
    };
    for (const char* modifier : {"1", "3"}) {
        const std::string file = with_modifier(modifier);
        const std::string text = shown(file, "b.bai");
        EXPECT_THAT(text, HasSubstr("4 lines, paid 0.00, returned 0.00")) << modifier;
        EXPECT_THAT(text, HasSubstr("4 pending 5.00 USD 2026-11-23 check number=10001 bank reference=REF1 "
                                    "note='475 A; of an interim report'"));
        EXPECT_THAT(text, HasSubstr("5 pending 7.00 USD 2026-11-23 payment id=P0000000123 R03 note="));
        EXPECT_THAT(text, HasSubstr("6 disputed 8.00"));
        EXPECT_THAT(text, HasSubstr("7 unrelated 9.00"));
        EXPECT_THAT(remarks_of(file), testing::ElementsAre("2 lines of an interim report are only recorded (as-of-date "
                                                           "modifier 1 or 3): the bank's final report counts"));
        EXPECT_THAT(shown(file + with_modifier("2"), "b.bai"), HasSubstr("8 lines, paid 5.00, returned 7.00"))
            << "only the group is interim";
    }
    for (const char* modifier : {"", "2", "4"}) {
        const std::string file = with_modifier(modifier);
        EXPECT_THAT(shown(file, "b.bai"), HasSubstr("4 lines, paid 5.00, returned 7.00")) << modifier;
        EXPECT_THAT(remarks_of(file), testing::IsEmpty()) << modifier;
    }
    std::string test_group = with_modifier("1");
    test_group[test_group.find("BANK,1,") + 5] = '4';
    EXPECT_THAT(remarks_of(test_group), testing::IsEmpty());
}

// An 03 and its 88s are one list of summaries. Banks differ on the commas at the end of each record.
TEST(Bai2, extra_or_missing_commas_before_a_continuation_shift_no_field) {
    const auto file = [](const std::string& summaries, int records) {
        return "01,BANK,OFFICE,261124,0800,7,,,2/\n02,OFFICE,BANK,1,261123,,USD,2/\n03,12345,USD," + summaries +
               "16,475,300,Z,,10001,A/\n49,1800," + std::to_string(records) + "/\n98,1800,1," +
               std::to_string(records + 2) + "/\n99,1800,1," + std::to_string(records + 4) + "/\n";
    };
    for (const char* summaries : {
             "010,500,,,015,1000,,/\n",                 // all on one record
             "010,500,,/\n88,015,1000,,/\n",            // as the format defines it
             "010,500,,,/\n88,015,1000,,,/\n",          // a comma before each end
             "010,500,,,,/\n88,015,1000,,,,/\n",        // two
             "010,500,,, /\n88,015,1000/\n",            // and a space after it
             "010,500,/\n88,015,1000,/\n",              // funds type omitted
             "010,500/\n88,015,1000/\n",                // item count omitted too
             "010,500\n88,015,1000\n",                  // without slashes
             "010,500,,/\n88,015/\n88,1000,,/\n",       // in the middle of a summary
             "010,500/\n88,,,015,1000/\n88,4,/\n",      // the same, item count and funds type follow
             "010,500/\n88,400,,015,1000,,/\n",         // an item count that could be a type code
             ",,,,010,500,,/\n88,015,1000,,/\n",        // no summary before the first
             ",,,,/\n88,010,500,,/\n88,015,1000,,/\n",  // nothing else on the record
         }) {
        const std::string text(summaries);
        const auto records = static_cast<int>(std::ranges::count(text, '\n'));
        EXPECT_THAT(shown(file(text, records + 2), "b.bai"), HasSubstr("paid 3.00 USD 2026-11-23 check number=10001"))
            << text;
    }
}

TEST(Bai2, reads_a_blank_control_total_as_zero) {
    const std::string blank =
        "01,BANK,OFFICE,261124,0800,7,,,2/\n02,OFFICE,BANK,1,261123,,,2/\n03,12345,/\n49,,2/\n98,,1,4/\n99,,1,6/\n";
    EXPECT_EQ(shown(blank, "b.bai"), "bai2 '7' 2026-11-24: 0 lines, paid 0.00, returned 0.00\n");
    std::string amounts = file_of("16,475,500,Z,,10001,A/\n", 500, 1);
    amounts.replace(amounts.find("49,500"), 6, "49,");
    EXPECT_THAT(shown(amounts, "b.bai"),
                HasSubstr("the account control total is blank, but the preceding records add up to 500"));
}

TEST(Bai2, reads_several_complete_files_in_one) {
    const std::string first = file_of("16,475,500,Z,,10001,A/\n", 500, 1);
    std::string second = file_of("16,475,700,Z,,10002,B/\n", 700, 1);
    second.replace(second.find("261124,0800,7"), 13, "261125,0800,8");
    EXPECT_EQ(shown(first + second, "b.bai"),
              "bai2 '7' 2026-11-24: 2 lines, paid 12.00, returned 0.00\n"
              "4 paid 5.00 USD 2026-11-23 check number=10001 note='475 A'\n"
              "11 paid 7.00 USD 2026-11-23 check number=10002 note='475 B'\n");
    EXPECT_THAT(shown(first + second.substr(0, second.find("98,")), "b.bai"), HasSubstr("no file trailer"));
    EXPECT_THAT(shown(first.substr(0, first.find("99,")) + second, "b.bai"), HasSubstr("a record 01 in an invalid"));
    EXPECT_THAT(shown(first + second.substr(second.find("02,")), "b.bai"), HasSubstr("a record 02 in an invalid"));
}

TEST(Bai2, skips_marks_between_two_complete_files) {
    const std::string first = file_of("16,475,500,Z,,10001,A/\n", 500, 1);
    const std::string second = file_of("16,475,700,Z,,10002,B/\n", 700, 1);
    const std::string unended = first.substr(0, first.size() - 1);  // no line end
    const std::string bare = first.substr(0, first.size() - 2);     // and no slash
    for (const std::string mark : {"\x1A", "\xEF\xBB\xBF", "\x1A\xEF\xBB\xBF", " \x1A \x1A"}) {
        for (const std::string& text :
             {first + mark + second, first + mark + "\r\n" + second, first + "\n" + mark + " " + second,
              unended + mark + second, unended + mark + "\n" + second, bare + mark + "\n" + second,
              bare + "\n" + mark + second, first + mark + "\n" + second + mark + "\n"})
            EXPECT_THAT(shown(text, "b.bai"), HasSubstr("2 lines, paid 12.00")) << text;
        EXPECT_THAT(shown(first + mark + "16,475,1,Z,,1,A/\n", "b.bai"), HasSubstr("a transaction outside an account"));
        EXPECT_THAT(shown(first + mark + "TEXT\n", "b.bai"), HasSubstr("a line without a record code"));
        EXPECT_THAT(shown(bare + mark + "TEXT\n", "b.bai"), HasSubstr("the number of records is"));
        EXPECT_THAT(shown(first.substr(0, first.find("99,")) + mark + second, "b.bai"), StartsWith("b.bai:"))
            << "only after a 99";
    }
    EXPECT_THAT(lines_of("16,475,500,Z,,,CHKN: 77 \x1A\xEF\xBB\xBF A/\n", 500, 1), HasSubstr("paid 5.00"))
        << "a mark in a text stays";
}

// Looking for the mark after each 99 in all that follows also took time by the square of the file's size.
TEST(Bai2, looks_for_a_mark_only_right_after_a_99) {
    std::string text =
        file_of("16,475,500,Z,,10001,A/\n", 500, 1) + file_of("16,475,700,Z,,10002,PAID \x1A TODAY/\n", 700, 1);
    std::erase(text, '\n');
    EXPECT_THAT(shown(text, "b.bai"), HasSubstr("2 lines, paid 12.00"));
}

TEST(Bai2, reads_a_file_without_groups) {
    EXPECT_EQ(shown("01,BANK,OFFICE,261124,0800,7,,,2/\r\n99,0,0,2/\r\n", "b.bai"),
              "bai2 '7' 2026-11-24: 0 lines, paid 0.00, returned 0.00\n");
    EXPECT_THAT(shown("01,BANK,OFFICE,261124,0800,7,,,2/\n99,500,1,6/\n", "b.bai"),
                HasSubstr("the number of groups is 1, but the preceding records add up to 0"));
}

TEST(Bai2, recognizes_a_file_in_which_nothing_is_booked_in_any_layout) {
    const std::string expected = "bai2 '7' 2026-11-24: 0 lines, paid 0.00, returned 0.00\n";
    const std::string header = "01,BANK,OFFICE,261124,0800,7,,,2", trailer = "99,0,0,2";
    const std::string group = "02,OFFICE,BANK,1,261123,,USD,2", group_trailer = "98,0,0,2", after_group = "99,0,1,4";
    const std::string with_slashes = header + "/\n" + trailer + "/\n", without = header + "\n" + trailer + "\n";
    const std::string groups = header + "\n" + group + "\n" + group_trailer + "\n" + after_group + "\n";
    const auto in_lines_to = [&](const std::string& end, std::string text) {
        for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += end.size())
            text.replace(at, 1, end);
        return text;
    };
    for (const std::string& text : {
             header + "/" + trailer + "/",
             header + "/ " + trailer + "/",
             header + "/ " + trailer + "/\r\n",
             header + "/\n " + trailer + "/\n",
             header + "\n\t" + trailer,
             "\xEF\xBB\xBF" + without,
             header + "\n99,,,2",
             header + "\n99,+0,2",
             header + ",\n" + trailer + ",\n",
             header + "\n02,OFFICE,BANK,1,261123\n88,,USD,2\n98,0,0,3\n99,0,1,5\n",
         })
        EXPECT_EQ(shown(text, "b.txt"), expected) << text;
    for (const std::string& text : {with_slashes, without, groups}) {
        for (const char* end : {"\n", "\r", "\r\n", "\n\n"})
            EXPECT_EQ(shown(in_lines_to(end, text), "b.txt"), expected) << text;
        EXPECT_EQ(shown(in_fixed_lines(text, ""), "b.txt"), expected) << text;
        EXPECT_EQ(shown(in_fixed_lines(text, "\r"), "b.txt"), expected) << text;
    }
    EXPECT_THAT(shown(header + "\r99,0,0,3\r", "b.txt"), HasSubstr("the number of records is 3"));
    // A CSV whose first value is 01.
    for (const char* csv : {"01,a,b,261124\n99,x,y,z\n", "01,a,b,999999\n99,0,0,2\n", "01,a,b\n99,0,0,2\n",
                            "01,a,b,261124,5,6\n05,c,d,261124,5,6\n99,0,0,2\n", "01,a,b,261124\n02,c,d\n99,0,0,2\n",
                            "01,a,b,261124\n99,\n"})
        EXPECT_EQ(recognize(csv), std::nullopt) << csv;
}

TEST(Bai2, accepts_a_control_total_without_the_summaries) {
    const auto file = [](const std::string& total, const std::string& lines, int records) {
        return "01,BANK,OFFICE,261124,0800,7,,,2/\n02,OFFICE,BANK,1,261123,,,2/\n03,12345,USD,010,-900,,,400,800,2,/"
               "\n" +
               lines + "49," + total + "," + std::to_string(records + 2) + "/\n98," + total + ",1," +
               std::to_string(records + 4) + "/\n99," + total + ",1," + std::to_string(records + 6) + "/\n";
    };
    const std::string lines = "16,475,500,Z,,10001,A/\n16,475,300,Z,,10002,B/\n";
    EXPECT_THAT(shown(file("700", lines, 2), "b.bai"), HasSubstr("2 lines, paid 8.00"));
    EXPECT_THAT(shown(file("800", lines, 2), "b.bai"), HasSubstr("2 lines, paid 8.00"));
    EXPECT_THAT(shown(file("900", lines, 2), "b.bai"),
                HasSubstr("the account control total is 900, but the preceding records add up to 700"));
    EXPECT_THAT(shown(file("0", "", 0), "b.bai"), HasSubstr("0 lines"));
}

TEST(Bai2, prefers_the_check_number_labeled_in_the_text) {
    const auto line = [](const std::string& fields, const ReadOptions& options = {}) {
        return lines_of("16,475,500,," + fields + "\n", 500, static_cast<int>(std::ranges::count(fields, '\n')) + 1,
                        options);
    };
    EXPECT_THAT(line("SC23,8ce1829175a74ec8,Check Paid,To: A, Check Serial Number: 0024108, ID: SC23\n88,CHKN: 24108"),
                HasSubstr("check number=0024108 check number=24108 bank reference=SC23 note="));
    EXPECT_THAT(line("SC23,,Paid\n88,CHKN: 24108\n88,DBNM: X"),
                HasSubstr("2026-11-23 check number=24108 bank reference=SC23 note="));
    EXPECT_THAT(line("SC23,10001,Paid\n88,chkn:24108/"),
                HasSubstr("check number=24108 check number=10001 bank reference=SC23 note="));
    EXPECT_THAT(line("SC23,10001,CHECK SERIAL NUMBER #24108"), HasSubstr("check number=24108 check number=10001"));
    // No number after the label, or a label inside a word: the reference counts.
    EXPECT_THAT(line("SC23,10001,CHKN: GSIL2X61"),
                HasSubstr("2026-11-23 check number=10001 bank reference=SC23 note="));
    EXPECT_THAT(line("SC23,10001,CHKN: 24X"), HasSubstr("2026-11-23 check number=10001 bank reference=SC23 note="));
    EXPECT_THAT(line("SC23,10001,XCHKN: 24"), HasSubstr("2026-11-23 check number=10001 bank reference=SC23 note="));
    EXPECT_THAT(line("SC23,10001,CHKN:"), HasSubstr("2026-11-23 check number=10001 bank reference=SC23 note="));
    ReadOptions options;
    options.check_number_labels = {"Serial"};
    EXPECT_THAT(line("SC23,,SERIAL 77 CHKN: 24108", options),
                HasSubstr("2026-11-23 check number=77 bank reference=SC23 note="));
    options.check_number_labels = {};
    EXPECT_THAT(line("SC23,,CHKN: 24108", options), HasSubstr("2026-11-23 check number=SC23 note="));
}

TEST(Bai2, refuses_a_file_with_an_invalid_amount) {
    for (const char* amount : {"5.00", "x", "123456789012345678901", "--5", "+-5", "++5", "+", "-", "A5"})
        EXPECT_THAT(lines_of("16,475," + std::string(amount) + ",Z,,10001,A/\n", 500, 1),
                    HasSubstr("is not a whole number of cents: ask the bank for the file again"))
            << amount;
}

}  // namespace
}  // namespace drawbridge::statements
