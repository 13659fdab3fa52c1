// How the records of a BAI2 file are written: lines, continuations, and several files in one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "statements/bai2_sample.hpp"

namespace drawbridge::statements {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(Bai2, reads_a_continuation_that_is_empty_or_has_a_blank_before_its_comma) {
    const std::string usual = lines_of("16,475,500,Z,,10001,PAID/\n88,MORE/\n", 500, 2);
    EXPECT_EQ(lines_of("16,475,500,Z,,10001,PAID/\n88 ,MORE/\n", 500, 2), usual);
    EXPECT_EQ(lines_of("16,475,500,Z,,10001,PAID/\n88/\n88,MORE/\n", 500, 3), usual);
    EXPECT_THAT(lines_of("16,475,500,Z,,10001,PAID/\n88\n88,MORE/\n", 500, 3), HasSubstr("without a record code"));
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

TEST(Bai2, takes_an_amount_after_a_slash_in_a_text_for_text) {
    for (const std::string text : {"16,500 TEXT", "01,500 TEXT", "02,500 TEXT", "03,500 TEXT", "88,000 USD"}) {
        EXPECT_EQ(lines_of("16,475,500,Z,,10001,REF 12/ " + text + "/\n", 500, 1),
                  "4 paid 5.00 USD 2026-11-23 check number=10001 note='475 REF 12/ " + text + "'\n");
    }
}

TEST(Bai2, reads_padded_lines_and_several_records_per_line) {
    EXPECT_EQ(lines_of("16,475,500,Z,,10001,A/   16,475,700,Z,,10002,B/      \r\n", 1200, 2),
              "4 paid 5.00 USD 2026-11-23 check number=10001 note='475 A'\n4 paid 7.00 USD 2026-11-23 check "
              "number=10002 note='475 B'\n");
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

}  // namespace
}  // namespace drawbridge::statements
