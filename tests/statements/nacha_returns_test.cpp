#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>

#include "statements/shown.hpp"

namespace drawbridge::statements {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::string padded(std::string text, std::size_t width = 94) {
    text.resize(width, ' ');
    return text;
}

struct Return {
    std::string code = "R03";
    std::string settlement = "   ";    // 76-78
    std::string effective = "      ";  // 70-75
    std::string sec = "PPD";
    std::string created = "261230";        // the file date; empty: no file header or file control
    std::string addenda_information = {};  // 36-79
    std::string date_of_death = {};        // 22-27
    int transaction_code = 21;
    bool change = false;
    std::string original_trace = "091000010000077";  // 7-21
    std::string individual_id = "P0000000123";       // 40-54 of the entry
    std::string company = "1123456789";
    std::string original_dfi = "09100001";  // 28-35
};

// One batch with one entry, built by hand.
std::string file_of(const Return& r) {
    const std::string amount = r.change ? "0000000000" : "0000030000";
    std::string file;
    if (!r.created.empty())
        file += padded("101 091000019 123456780" + r.created + "1200A094101OFFICE                 FIRST BANK") + "\n";
    file += padded("5200CITY HOUSING    " + padded("", 20) + r.company + r.sec + "DRAWPMT   " + padded("", 6) +
                   r.effective + r.settlement + "1091000010000001") +
            "\n";
    file += "6" + std::to_string(r.transaction_code) + "09100001" + "9" + padded("123456789", 17) + amount +
            padded(r.individual_id, 15) + padded("JANE ROE", 22) + "  1" + "091000010000001" + "\n";
    file += padded("7" + std::string(r.change ? "98" : "99") + r.code + r.original_trace + padded(r.date_of_death, 6) +
                       r.original_dfi + r.addenda_information,
                   79) +
            "091000010000001\n";
    const std::string debit = r.transaction_code % 10 > 4 && !r.change ? "000000030000" : "000000000000";
    const std::string credit = r.transaction_code % 10 <= 4 && !r.change ? "000000030000" : "000000000000";
    file +=
        "8200"
        "000002"
        "0009100001" +
        debit + credit + r.company + padded("", 25) +
        "09100001"
        "0000001"
        "\n";
    if (!r.created.empty()) file += padded("9000001000001000000020009100001" + debit + credit) + "\n";
    return file;
}

std::string line_of_bytes(const std::string& bytes, const ReadOptions& options = {}) {
    const std::string text = shown(bytes, "r.ach", options);
    return text.starts_with("nacha") ? text.substr(text.find('\n') + 1) : text;
}

std::string line_of(const Return& r, const ReadOptions& options = {}) {
    return line_of_bytes(file_of(r), options);
}

TEST(NachaReturns, reads_a_return_with_its_original_trace_reason_and_payment) {
    EXPECT_EQ(
        line_of({}),
        "3 returned 300.00 USD 2026-12-30 trace number=091000010000077 payment id=P0000000123 R03 payee='JANE ROE'\n");
}

ReadOptions office() {
    ReadOptions options;
    options.office.odfi_identification = "09100001";
    options.office.company_ids = {"1123456789"};
    return options;
}

// Some banks give a return a trace number of their own, or none.
TEST(NachaReturns, reads_a_return_with_our_payment_id_whatever_its_original_trace) {
    EXPECT_THAT(line_of({.original_trace = "021000020000077"}, office()),
                HasSubstr(" returned 300.00 USD 2026-12-30 trace number=021000020000077 payment id=P0000000123 R03"));
    EXPECT_THAT(line_of({.original_trace = "000000000000000"}, office()),
                HasSubstr(" returned 300.00 USD 2026-12-30 payment id=P0000000123 R03"));
}

TEST(NachaReturns, reads_what_ends_in_an_end_of_file_character_and_an_empty_line) {
    const std::string usual = file_of({});
    for (const std::string end : {"\n", "\r\n", "\r", "\r\r\n"}) {
        for (const char fill : {'\x1A', '\0'}) {
            std::string text;
            for (const char c : usual)
                text += c == '\n' ? end : std::string(1, c);
            EXPECT_THAT(line_of_bytes((text + fill).append(end).append(end)), HasSubstr("3 returned 300.00"));
        }
    }
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

TEST(NachaReturns, refuses_a_file_only_about_other_companies_or_banks) {
    const std::string says = "every line is about another company's or another bank's entry";
    const Return company{.individual_id = "", .company = "9999999999"};
    EXPECT_THAT(line_of(company, office()), HasSubstr(says));
    EXPECT_THAT(line_of({.original_trace = "021000020000077", .individual_id = "7"}, office()), HasSubstr(says));
    const auto batch_of = [](Return r) {
        r.created.clear();
        r.effective = "261230";
        return file_of(r);
    };
    EXPECT_THAT(line_of_bytes(batch_of({}) + batch_of(company), office()),
                testing::AllOf(HasSubstr(" returned "), HasSubstr(" unrelated "), HasSubstr("of company 9999999999")));
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

TEST(NachaReturns, reads_a_file_without_file_header_and_control) {
    Return r;
    r.created.clear();
    r.settlement = "002";
    EXPECT_THAT(line_of(r), HasSubstr("neither the file nor its batch has a date"));
    ReadOptions options;
    options.received_on = BusinessDate(std::chrono::year(2026), std::chrono::December, std::chrono::day(31));
    EXPECT_THAT(line_of(r, options), StartsWith("2 returned 300.00 USD 2027-01-02"));
    r.effective = "261229";
    r.settlement = "   ";
    EXPECT_THAT(line_of(r), StartsWith("2 returned 300.00 USD 2026-12-29"));
    EXPECT_THAT(line_of(r, options), StartsWith("2 returned 300.00 USD 2026-12-29"));
    r.effective = "000101";  // no date, but not blank
    EXPECT_THAT(line_of(r, options), StartsWith("2 returned 300.00 USD 2026-12-31"));
}

TEST(NachaReturns, reads_a_file_without_line_ends_that_has_no_file_header) {
    const std::string file = file_of({.effective = "261230"});
    const std::string headless = file.substr(file.find('\n') + 1);  // its file control ends in blanks
    const std::string bare = headless.substr(0, headless.rfind("\n9") + 1);
    for (const std::string& usual : {headless, bare}) {
        ASSERT_THAT(line_of_bytes(usual), HasSubstr("returned 300.00 USD 2026-12-30"));
        std::string joined = usual;
        std::erase(joined, '\n');
        for (const std::string& text : {joined, joined + "\n"})
            EXPECT_THAT(line_of_bytes(text), HasSubstr("returned 300.00 USD 2026-12-30")) << text;
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

TEST(NachaReturns, reads_a_batch_without_entries_as_no_returns) {
    std::string bytes = file_of({});
    bytes.erase(2 * 95, 2 * 95);
    const std::string control = "82000000000000000000000000000000000000000000";
    bytes.replace(2 * 95, control.size(), control);
    const std::string total = "9000001000001000000000000000000000000000000000000000000";
    bytes.replace(3 * 95, total.size(), total);
    EXPECT_EQ(shown(bytes, "r.ach"), "nacha '2026-12-30 A' 2026-12-30: 0 lines, paid 0.00, returned 0.00\n");
    bytes = bytes.substr(95, 2 * 95);
    EXPECT_THAT(shown(bytes, "r.ach"), HasSubstr("contains no return")) << "without file records it may be truncated";
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

TEST(NachaReturns, ignores_end_of_file_fill) {
    const std::string usual = file_of({});
    for (const auto& tail : {std::string("\x1A"), std::string("\0\0\0", 3), std::string("\x1A\0\0", 3)})
        EXPECT_EQ(shown(usual + tail, "r.ach"), shown(usual, "r.ach"));
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
        text.replace(at, what.size(), by);
    return text;
}

std::vector<std::string> remarks_on(const std::string& bytes) {
    const auto read = read_statement(bytes, "r.ach", {}, [](const Confirmation&) {});
    EXPECT_TRUE(read) << text::to_string(read.error());
    return read ? read->remarks : std::vector<std::string>();
}

// A file whose differences carry no information is read, and each kind of difference is reported once.
TEST(NachaReturns, ignores_a_file_of_acknowledgments) {
    std::string file = file_of({.sec = "ACK", .transaction_code = 24});
    file.erase(file.find("799"), 95);
    std::string control = file.substr(file.find("\n8200"));
    file.erase(file.find("\n8200"));
    for (std::string amount = "0000030000"; auto* text : {&file, &control}) {
        for (std::size_t at = 0; (at = text->find(amount)) != std::string::npos;)
            text->replace(at, amount.size(), "0000000000");
    }
    file.replace(file.rfind("  1091000010000001"), 3, "  0");
    control.replace(control.find("000002"), 6, "000001");
    control.replace(control.find("00000002"), 8, "00000001");
    EXPECT_THAT(shown(file + control, "r.ach"), HasSubstr(": 0 lines"));
    EXPECT_THAT(remarks_on(file + control), ElementsAre(HasSubstr("1 acknowledgment of payments (ACK, ATX): ignored")));
}

TEST(NachaReturns, tolerates_and_reports_harmless_deviations) {
    const std::string usual = file_of({});
    const auto expect = [&](const std::string& bytes, const std::string& remark) {
        const std::string line = line_of_bytes(bytes);
        const std::string same = line_of_bytes(usual);
        EXPECT_EQ(line.substr(line.find(' ')), same.substr(same.find(' '))) << remark;
        EXPECT_THAT(remarks_on(bytes), testing::ElementsAre(HasSubstr(remark)));
    };
    EXPECT_THAT(remarks_on(usual), testing::IsEmpty());
    expect("\r\n" + replaced(usual, "\n", "\r\n"), "line 1: an empty line");
    expect(replaced(usual, "\n", "\n\n"), "line 2: an empty line, here and on 5 more lines");
    expect(replaced(usual, "\n", "   \n"), "line 1: spaces after the 94 characters of the record, here and on 5 more");
    expect(replaced(usual, "\n", "\r\r\n"), "line 1: the lines end with CR CR LF");
    expect(usual + std::string(94, ' ') + "\n", "line 7: an empty line at the end of the file");
    expect(usual + std::string(80, '9') + "\n", "line 7: a padding line without 94 characters");
    expect(usual.substr(0, usual.size() - 8), "line 6: the record has 87 characters, not 94: read as if");
    // Some banks leave the addenda record indicator of the original entry.
    EXPECT_EQ(line_of_bytes(replaced(usual, padded("JANE ROE", 22) + "  1", padded("JANE ROE", 22) + "  0")),
              line_of_bytes(usual));
    // Anything else after the record may be shifted data.
    EXPECT_THAT(shown(replaced(usual, "\n", "   X\n"), "r.ach"), HasSubstr("the record has 98 characters, not 94"));
}

TEST(NachaReturns, reports_a_complete_file_without_returns) {
    const std::string header =
        padded("101 091000019 1234567892612301200A094101OFFICE                 FIRST BANK") + "\n";
    const std::string control = padded("9000000000001000000000000000000000000000000000000000000") + "\n";
    EXPECT_EQ(shown(header + control, "r.ach"), "nacha '2026-12-30 A' 2026-12-30: 0 lines, paid 0.00, returned 0.00\n");
    // Some banks send it without the spaces at the ends of records.
    EXPECT_THAT(shown(header.substr(0, 70) + "\n" + control.substr(0, 55) + "\n", "r.ach"), HasSubstr("0 lines"));
    EXPECT_THAT(shown(header, "r.ach"), HasSubstr("no file control record: drop it again"));
    EXPECT_THAT(shown(header + replaced(control, "9000000", "9000001"), "r.ach"), HasSubstr("batch count"));
    EXPECT_THAT(shown(header + replaced(control, "000 ", "100 "), "r.ach"), HasSubstr("total credit"));
}

// A file that was cut off between two batches still adds up: only the missing file control shows it.
TEST(NachaReturns, refuses_a_file_header_without_a_file_control) {
    const std::string file = file_of({});
    const std::size_t header = file.find('\n') + 1, control = file.rfind("\n9") + 1;
    EXPECT_EQ(shown(file.substr(0, control), "r.ach"),
              "r.ach:5: the file has a file header, but no file control record: drop it again; it may be truncated\n");
    EXPECT_THAT(shown(file.substr(0, control) + std::string(94, '9') + "\n", "r.ach"), HasSubstr("r.ach:"));
    Return dated;
    dated.effective = "261230";
    dated.created.clear();
    EXPECT_THAT(remarks_on(file_of(dated)), testing::ElementsAre(HasSubstr("no file header and no file control")));
    std::string headless = file_of({.effective = "261230"}).substr(header);
    EXPECT_THAT(remarks_on(headless), testing::ElementsAre("the file has no file header"));
}

std::string sample(const std::string& name) {
    std::ifstream in(std::string(DRAWBRIDGE_TEST_DATA) + "/nacha/" + name, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    EXPECT_FALSE(bytes.empty()) << name;
    return bytes;
}

std::string with_padding(std::string file) {
    while (file.size() % 950 != 0)
        file += std::string(94, '9') + "\n";
    return file;
}

const Return next_day = {
    .settlement = "004", .created = "270104", .original_trace = "091000010000078", .individual_id = "P0000000124"};

TEST(NachaReturns, reads_several_complete_files_in_one) {
    const std::string one = with_padding(file_of({})), two = with_padding(file_of(next_day));
    const std::string nines = std::string(94, '9') + "\n";
    // Each line has the year of its own file.
    EXPECT_EQ(shown(one + two, "r.ach"),
              "nacha '2026-12-30 A' 2026-12-30: 2 lines, paid 0.00, returned 600.00\n"
              "3 returned 300.00 USD 2026-12-30 trace number=091000010000077 payment id=P0000000123 R03 payee='JANE "
              "ROE'\n"
              "13 returned 300.00 USD 2027-01-04 trace number=091000010000078 payment id=P0000000124 R03 payee='JANE "
              "ROE'\n");
    EXPECT_THAT(remarks_on(one + two), testing::ElementsAre("line 11: another complete file begins"));
    EXPECT_THAT(remarks_on(one + two + one),
                testing::ElementsAre("line 11: another complete file begins, here and on 1 more line"));
    const auto lines = [](const std::string& bytes) {
        std::vector<std::int64_t> found;
        const auto read = read_statement(bytes, "r.ach", {}, [&](const Confirmation& c) { found.push_back(c.line); });
        EXPECT_TRUE(read) << text::to_string(read.error());
        return found;
    };
    EXPECT_THAT(lines(file_of({}) + file_of(next_day)), ElementsAre(3, 9)) << "without padding";
    EXPECT_THAT(lines(one + nines + two + nines + nines), ElementsAre(3, 14)) << "with more padding than a block";
    EXPECT_THAT(lines(replaced(one + two, "\n", "\r\n")), ElementsAre(3, 13));
    EXPECT_THAT(lines(replaced(one + two, "\n", "")), ElementsAre(3, 13));
    EXPECT_THAT(lines(one + "\n" + two), ElementsAre(3, 14)) << "with an empty line between them";
    for (const char* joint : {"\xEF\xBB\xBF", "\x1A", "\x1A\xEF\xBB\xBF"}) {
        EXPECT_THAT(lines(one + joint + two), ElementsAre(3, 13));
        EXPECT_THAT(shown(one.substr(0, 95) + joint + one.substr(95), "r.ach"), HasSubstr("r.ach:2:"))
            << "within a file";
    }
    EXPECT_THAT(lines(one + "\x1A\n" + two), ElementsAre(3, 14)) << "an end-of-file character on a line of its own";
    const std::string without_returns =
        with_padding(padded("101 091000019 1234567892612301200A094101OFFICE                 FIRST BANK") + "\n" +
                     padded("9000000000001000000000000000000000000000000000000000000") + "\n");
    EXPECT_THAT(lines(without_returns + one + without_returns), ElementsAre(13));
    EXPECT_THAT(lines(without_returns + without_returns), ElementsAre());
}

// A fault in any of them refuses all, at its line.
TEST(NachaReturns, refuses_several_files_in_one_if_one_is_damaged) {
    const std::string one = with_padding(file_of({})), two = with_padding(file_of(next_day));
    const auto wrong_total = [](std::string file) {
        return file.replace(file.rfind("000000030000"), 12, "000000030001");
    };
    EXPECT_THAT(shown(wrong_total(one) + two, "r.ach"),
                StartsWith("r.ach:6:44: total credit: $300.01, but the records"));
    EXPECT_THAT(shown(one + wrong_total(two), "r.ach"),
                StartsWith("r.ach:16:44: total credit: $300.01, but the records"));
    const auto end = [](const std::string& file) { return file.find("\n9") + 1; };
    EXPECT_EQ(shown(one.substr(0, end(one)) + two, "r.ach"),
              "r.ach:6:1: another file begins here, and the file before it has no file control: the file is damaged or "
              "truncated: ask the bank for it again\n");
    EXPECT_EQ(shown(one + two.substr(0, end(two)), "r.ach"),
              "r.ach:15: the file has a file header, but no file control record: drop it again; it may be truncated\n");
    EXPECT_EQ(shown(one + two.substr(0, 95), "r.ach"),
              "r.ach:11: the file has a file header, but no file control record: drop it again; it may be truncated\n");
    EXPECT_EQ(shown(one.substr(95) + two, "r.ach"),
              "r.ach:10:1: another file begins here, and the file before it has no file header: the file is damaged or "
              "truncated: ask the bank for it again\n");
    EXPECT_THAT(shown(one + two.substr(95), "r.ach"), StartsWith("r.ach:11:1: a record after the file control: "));
    EXPECT_THAT(shown(one + std::string(two).replace(34, 3, "093"), "r.ach"), StartsWith("r.ach:11:35: record size: "));
    // A payment file among returns.
    EXPECT_THAT(shown(one + sample("credits.ach"), "r.ach"), HasSubstr("r.ach:13:1: the first of"));
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

TEST(NachaReturns, refuses_a_copy_of_a_payment_file) {
    std::string file = file_of({.transaction_code = 22});
    const std::size_t addenda = file.find("\n799") + 1;
    file.erase(addenda, 95);
    file[file.find("JANE ROE") + 24] = '0';
    file.replace(file.find("8200000002"), 10, "8200000001");
    file.replace(file.find("9000001000001000000020"), 22, "9000001000001000000010");
    EXPECT_THAT(
        shown(file, "ours.ach"),
        HasSubstr(
            "ours.ach:3:1: an entry that is neither a return nor a notification of change: this is a payment file"));
    // Reported once, however many payments it has.
    const std::string report = shown(sample("credits.ach"), "many.ach");
    EXPECT_THAT(report, HasSubstr(" that are neither returns nor notifications of change: this is a payment file"));
    EXPECT_EQ(report.find("this is a payment file"), report.rfind("this is a payment file"));
}

// Banks send acknowledgments, receipts and offset entries with the returns, in batches of their own.
TEST(NachaReturns, reads_the_returns_of_a_file_that_also_has_other_entries) {
    std::string lines;
    const auto read =
        read_statement(sample("every-record.ach"), "r.ach", {}, [&](const Confirmation& c) { lines += shown(c); });
    ASSERT_TRUE(read) << text::to_string(read.error());
    EXPECT_THAT(lines, HasSubstr("28 returned 1250.00 USD 2026-11-21 trace number=091000010000001"));
    EXPECT_THAT(lines, HasSubstr("C03 corrected="));
    EXPECT_THAT(read->remarks, testing::Contains("line 3: the first of 10 entries that are neither returns nor "
                                                 "notifications of change: ignored, since it confirms nothing"));
}

// The rules allow only ASCII, but banks pass on what they get.
TEST(NachaReturns, reads_returns_with_foreign_characters_in_a_text) {
    const auto with = [](std::string_view old, std::string_view now) {
        std::string file = file_of({.addenda_information = "SEE BANK"});
        return file.replace(file.find(old), old.size(), now);
    };
    for (const std::string_view name : {"J\xC1NE ROE", "J\xC3\x81NE ROE", "J\xE2\x82\xACNE ROE"}) {
        const std::string bytes = with("JANE ROE", name);
        EXPECT_THAT(line_of_bytes(bytes),
                    HasSubstr("3 returned 300.00 USD 2026-12-30 trace number=091000010000077 payment id=P0000000123 "
                              "R03 payee='J?NE ROE'"));
        EXPECT_THAT(remarks_on(bytes), testing::ElementsAre("line 3: characters that are not ASCII in a text"));
    }
    using Changes = std::vector<std::pair<const char*, const char*>>;
    for (const auto& [old, now] :
         Changes{{"OFFICE", "\326FFICE"}, {"CITY HOUSING", "CIT\xC3\x9D HOUSING"}, {"SEE BANK", "S\xC9\xC9 BANK"}})
        EXPECT_THAT(line_of_bytes(with(old, now)), HasSubstr("returned 300.00")) << now;
    // Where a value is, and for control characters, the record is damaged.
    for (const auto& [old, now] : Changes{{"P0000000123", "P\260000000123"},
                                          {"123456789 ", "1234567\2709 "},
                                          {"0000030000", "000003\303\260000"},
                                          {"JANE ROE", "JANE\tROE"},
                                          {"JANE ROE", "J\xC1\x81NE ROE"}})
        EXPECT_THAT(shown(with(old, now), "r.ach"), HasSubstr("not printable ASCII")) << now;
}

// One that lost its addenda is no payment.
TEST(NachaReturns, refuses_a_return_without_its_addenda) {
    const auto without_addenda = [](const Return& r) {
        std::string file = file_of(r);
        file.erase(file.find("\n799") + 1, 95);
        file[file.find("JANE ROE") + 24] = '0';
        file.replace(file.find("8200000002"), 10, "8200000001");
        file.replace(file.find("9000001000001000000020"), 22, "9000001000001000000010");
        return file;
    };
    EXPECT_EQ(shown(without_addenda({.transaction_code = 21}), "r.ach"),
              "r.ach:3:1: a return or notification of change without its addenda record: the file is damaged: ask the "
              "bank for it again\n");
    // With any transaction code, if others in its batch have addenda.
    std::string file = file_of({});
    const std::size_t entry = file.find("\n6") + 1, control = file.find("\n8") + 1;
    std::string other = file.substr(entry, 95);
    other.replace(1, 2, "22").replace(78, 16, "0091000010000002");
    file.insert(control, other);
    file.replace(file.find("82000000020009100001"), 20, "82000000030018200002");
    file.replace(file.find("9000001000001000000020009100001"), 31, "9000001000001000000030018200002");
    for (std::size_t at = file.find("\n8"); (at = file.find("000000030000", at)) != std::string::npos; at += 12)
        file.replace(at, 12, "000000060000");
    EXPECT_THAT(shown(file, "r.ach"), HasSubstr("r.ach:5:1: a return or notification of change without its addenda"));
}

TEST(NachaReturns, refuses_a_file_that_does_not_add_up) {
    std::string file = file_of({});
    file.replace(file.find("000000030000"), 12, "000000030001");
    EXPECT_THAT(shown(file, "r.ach"), StartsWith("r.ach:5:"));
    EXPECT_THAT(shown(file_of({}).substr(0, 250), "r.ach"), StartsWith("r.ach:"));
}

// Ten thousand returns without file records, each of 300.00.
std::string many_returns(std::int64_t returns) {
    std::string file = padded("5200CITY HOUSING    " + padded("", 20) + "1123456789PPDDRAWPMT   " + padded("", 6) +
                              "261229363" + "1091000010000001") +
                       "\n";
    const auto filled = [](std::int64_t number, std::size_t width) {
        const std::string text = std::to_string(number);
        return std::string(width - text.size(), '0') + text;
    };
    for (std::int64_t i = 1; i <= returns; ++i) {
        const std::string trace = "09100001" + filled(i, 7);
        file += "621091000019" + padded("123456789", 17) + "0000030000" + padded("P" + filled(i, 10), 15) +
                padded("JANE ROE", 22) + "  1" + trace + "\n" +
                padded("799R03" + trace + padded("", 6) + "09100001", 79) + trace + "\n";
    }
    return file + "8200" + filled(2 * returns, 6) + filled(9'100'001 * returns % 10'000'000'000, 10) + filled(0, 12) +
           filled(30'000 * returns, 12) + "1123456789" + padded("", 25) + "091000010000001\n";
}

TEST(NachaReturns, passes_on_nothing_of_a_long_file_with_a_bad_last_record) {
    const std::string good = many_returns(10'000);
    for (const bool is_wrong : {false, true}) {
        std::string bytes = good;
        if (is_wrong) ++bytes[bytes.size() - 95 + 43];  // one cent too much in the total
        std::int64_t slices = 1, lines = 0;
        const ReadOptions options;
        StatementReader reading(bytes, "r.ach", options, [&](const Confirmation& c) {
            EXPECT_EQ(c.line, 2 * ++lines);
            EXPECT_EQ(c.amount, Money::from_cents(30'000));
        });
        while (reading.advance())
            ++slices;
        EXPECT_GT(slices, is_wrong ? 1 : 3);
        const auto facts = std::move(reading).finish();
        EXPECT_EQ(facts.has_value(), !is_wrong);
        EXPECT_EQ(lines, is_wrong ? 0 : 10'000);
        if (facts) {
            EXPECT_EQ(facts->returned, Money::from_cents(30'000 * lines));
        }
    }
}

}  // namespace
}  // namespace drawbridge::statements
