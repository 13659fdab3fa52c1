#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "statements/bai2_sample.hpp"

namespace drawbridge::statements {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

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

TEST(Bai2, reads_a_blank_control_total_as_zero) {
    const std::string blank =
        "01,BANK,OFFICE,261124,0800,7,,,2/\n02,OFFICE,BANK,1,261123,,,2/\n03,12345,/\n49,,2/\n98,,1,4/\n99,,1,6/\n";
    EXPECT_EQ(shown(blank, "b.bai"), "bai2 '7' 2026-11-24: 0 lines, paid 0.00, returned 0.00\n");
    std::string amounts = file_of("16,475,500,Z,,10001,A/\n", 500, 1);
    amounts.replace(amounts.find("49,500"), 6, "49,");
    EXPECT_THAT(shown(amounts, "b.bai"),
                HasSubstr("the account control total is blank, but the preceding records add up to 500"));
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
