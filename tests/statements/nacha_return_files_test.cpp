// Files of NACHA returns as a whole: what surrounds the returns, what is missing or damaged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "statements/nacha_return_sample.hpp"

namespace drawbridge::statements {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

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
