#include "drawbridge/nacha/parse.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <sstream>

#include "drawbridge/nacha/validate.hpp"
#include "nacha/sample_files.hpp"

namespace drawbridge::nacha {
namespace {

using testing::credits;
using testing::day;
using ::testing::HasSubstr;
using testing::read_data;

std::string text_of(const std::vector<Problem>& problems) {
    std::string text;
    for (const Problem& problem : problems) {
        text += std::to_string(problem.line) + ":" + std::to_string(problem.position) + ": " + problem.message + "\n";
    }
    return text;
}

// The file's lines with one of them changed; lines count from 1.
std::string with_line(std::size_t line, const std::function<std::string(std::string)>& change) {
    std::istringstream in(read_data("credits.ach"));
    std::string out, text;
    for (std::size_t number = 1; std::getline(in, text); ++number) {
        out += number == line ? change(text) : text + "\n";
    }
    return out;
}
std::string with_field(std::size_t line, std::size_t position, const std::string& value) {
    return with_line(line, [&](std::string text) { return text.replace(position - 1, value.size(), value) + "\n"; });
}

TEST(Parse, reads_the_golden_file) {
    const auto file = parse(read_data("credits.ach"));
    ASSERT_TRUE(file) << text_of(file.error());
    File expected = credits();
    expected.batches[0].entries[1].individual_name = "A NAME THAT IS LONGER";  // truncated to 22 characters
    expected.batches[1].entries[0].individual_name = "ACME SUPPLY HOLD";       // CTX: to 16
    EXPECT_EQ(*file, expected);
}

TEST(Parse, accepts_any_line_end) {
    const std::string lf = read_data("credits.ach");
    std::string crlf, none;
    for (const char c : lf) {
        if (c == '\n')
            crlf += '\r';
        else
            none += c;
        crlf += c;
    }
    const auto expected = parse(lf);
    ASSERT_TRUE(expected);
    EXPECT_EQ(parse(crlf), expected);
    EXPECT_EQ(parse(none), expected);
    EXPECT_EQ(parse(lf.substr(0, lf.size() - 1)), expected) << "the last line without a line end";
}

TEST(Parse, reads_a_return_file) {
    const auto file = parse(read_data("nacha-return-web.ach"));
    ASSERT_TRUE(file) << text_of(file.error());
    EXPECT_EQ(file->header.immediate_origin, "691000134");
    ASSERT_EQ(file->batches.size(), 2U);
    const EntryDetail& debit = file->batches[0].entries.at(0);
    EXPECT_EQ(debit.amount.cents(), 12354);
    EXPECT_EQ(std::get<ReturnAddenda>(debit.addenda.at(0)).return_reason_code, "R01");
    const EntryDetail& credit = file->batches[1].entries.at(0);
    EXPECT_EQ(direction_of(credit.transaction_code), Direction::credit);
    const auto& returned = std::get<ReturnAddenda>(credit.addenda.at(0));
    EXPECT_EQ(returned.return_reason_code, "R03");
    EXPECT_EQ(returned.original_entry_trace_number, "091400600000003");
    EXPECT_EQ(returned.original_receiving_dfi, "02100002");
    EXPECT_EQ(returned.trace_number, "021000029461242");
    EXPECT_EQ(returned.date_of_death, "");
}

TEST(Parse, reads_a_notification_of_change) {
    const auto file = parse(read_data("nacha-noc.ach"));
    ASSERT_TRUE(file) << text_of(file.error());
    ASSERT_EQ(file->batches.size(), 1U);
    EXPECT_EQ(file->batches[0].header.standard_entry_class_code, "COR");
    EXPECT_EQ(file->batches[0].header.effective_entry_date, std::nullopt);
    const EntryDetail& entry = file->batches[0].entries.at(0);
    EXPECT_TRUE(entry.amount.is_zero());
    const auto& change = std::get<ChangeAddenda>(entry.addenda.at(0));
    EXPECT_EQ(change.change_code, "C01");
    EXPECT_EQ(change.original_entry_trace_number, "121042880000001");
    EXPECT_EQ(change.original_receiving_dfi, "12104288");
    EXPECT_EQ(change.corrected_data, "1918171614");
}

TEST(Parse, reads_a_return_file_without_file_records_only_when_allowed) {
    const std::string whole = read_data("nacha-return-web.ach");
    const std::string batches = whole.substr(95, 8 * 95);
    EXPECT_FALSE(parse(batches));
    const auto file = parse(batches, {.file_records_required = false});
    ASSERT_TRUE(file) << text_of(file.error());
    EXPECT_EQ(file->batches, parse(whole)->batches);
}

TEST(Parse, refuses_an_incomplete_file) {
    struct Case {
        const char* what;
        std::string bytes;
        std::size_t line, position;
        const char* message;
    };
    const auto without = [](std::size_t line) { return with_line(line, [](const std::string&) { return ""; }); };
    const Case table[] = {
        {"empty", "", 0, 0, "empty"},
        {"no file header", without(1), 1, 1, "no file header"},
        {"no batch header", without(2), 2, 1, "outside a batch"},
        {"no batch control", without(6), 6, 1, "control record of the previous batch"},
        {"no last batch control", without(11), 11, 1, "control record of the batch"},
        {"no file control", without(12), 12, 1, "padding before the file control"},
        {"an entry lost", without(5), 5, 5, "entry and addenda count"},
        {"an addenda lost", without(4), 3, 79, "addenda record indicator"},
        {"an addenda of CTX lost", without(10), 8, 55, "number of addenda"},
        {"a short record", with_line(5, [](const std::string& text) { return text.substr(0, 93) + "\n"; }), 5, 94,
         "93 characters"},
        {"a long record", with_line(5, [](const std::string& text) { return text + "X\n"; }), 5, 95, "95 characters"},
        {"an unknown record type", with_field(5, 1, "4"), 5, 1, "record type"},
        {"a letter in an amount", with_field(5, 30, "00000O7500"), 5, 30, "amount"},
        {"a changed amount", with_field(5, 30, "0000007501"), 6, 33, "total credit"},
        {"a changed routing number", with_field(5, 4, "01140154"), 6, 11, "entry hash"},
        {"a changed batch total", with_field(6, 33, "000000132501"), 6, 33, "total credit"},
        {"a changed file total", with_field(12, 44, "000000132601"), 12, 44, "total credit"},
        {"a changed file count", with_field(12, 14, "00000007"), 12, 14, "entry and addenda count"},
        {"a changed batch count", with_field(12, 2, "000003"), 12, 2, "batch count"},
        {"a date that does not exist", with_field(2, 70, "260230"), 2, 70, "effective entry date"},
        {"a control character", with_field(5, 60, "\t"), 5, 60, "printable"},
        {"a byte over 127", with_field(5, 60, "\xC9"), 5, 60, "printable"},
        {"entries of an international batch", with_field(2, 51, "IAT"), 5, 13, "number of addenda"},
        {"a second file control", with_line(12, [](const std::string& text) { return text + "\n" + text + "\n"; }), 13,
         2, "not all nines"},
        {"a batch after the end", with_line(20, [](const std::string&) { return std::string(94, '5') + "\n"; }), 20, 1,
         "after the file control"},
    };
    for (const Case& row : table) {
        const auto file = parse(row.bytes);
        ASSERT_FALSE(file) << row.what;
        const bool found = std::ranges::any_of(file.error(), [&](const Problem& problem) {
            return problem.line == row.line && problem.position == row.position &&
                   problem.message.find(row.message) != std::string::npos;
        });
        EXPECT_TRUE(found) << row.what << "\n" << text_of(file.error());
    }
}

TEST(Parse, reads_a_batch_whose_control_has_another_number) {
    const std::string bytes = with_field(6, 88, "0000009");
    const auto file = parse(bytes);
    ASSERT_TRUE(file) << text_of(file.error());
    EXPECT_EQ(file->batches.front().header.batch_number, 1);
    EXPECT_EQ(file->batches.front().entries.size(), 2U);
    const auto problems = validate(bytes).summary.problems;
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_EQ(problems.front().field, "batch number");
    EXPECT_EQ(problems.front().severity, Severity::error);
}

// Only a reader of banks' files may read several.
TEST(Parse, refuses_a_second_file_unless_files_may_be_stacked) {
    const std::string one = read_data("credits.ach"), two = read_data("returns.ach");
    const auto refused = parse(one + two);
    ASSERT_FALSE(refused);
    ASSERT_EQ(refused.error().size(), 1U) << text_of(refused.error());
    EXPECT_EQ(text_of(refused.error()), "21:1: a second file begins here: split it into one file each\n");
    EXPECT_FALSE(validate(one + one).is_valid());
    const auto summary_of = [](const std::string& bytes) {
        FileReader reader({.may_be_stacked = true});
        reader.feed(bytes);
        return reader.finish();
    };
    const ReadSummary first = summary_of(one), second = summary_of(two), both = summary_of(one + two);
    EXPECT_TRUE(both.is_valid()) << text_of(both.problems);
    EXPECT_EQ(both.records, first.records + second.records);
    EXPECT_EQ(both.batches, first.batches + second.batches);
    EXPECT_EQ(both.entries, first.entries + second.entries);
    EXPECT_EQ(both.addenda, first.addenda + second.addenda);
    EXPECT_EQ(both.total_credit, first.total_credit + second.total_credit);
    EXPECT_EQ(both.total_debit, first.total_debit + second.total_debit);
    // Batch numbers and trace numbers begin anew in each file.
    EXPECT_EQ(text_of(summary_of(one + one).problems), "21:0: another complete file begins\n");
}

TEST(Parse, reads_a_return_that_does_not_name_its_original_entry) {
    for (const char nothing : {' ', '0'}) {
        std::string bytes = read_data("nacha-return-web.ach");
        const std::size_t addenda = bytes.find("\n799") + 1;
        bytes.replace(addenda + 6, 15, std::string(15, nothing)).replace(addenda + 27, 8, std::string(8, nothing));
        const auto file = parse(bytes);
        ASSERT_TRUE(file) << text_of(file.error());
        const auto summary = validate(bytes).summary;
        const auto missing = [&](const char* field) {
            return std::ranges::any_of(summary.problems, [&](const Problem& problem) {
                return problem.field == field && problem.severity == Severity::error &&
                       problem.message.ends_with("must be filled in");
            });
        };
        EXPECT_TRUE(missing("original entry trace number")) << text_of(summary.problems);
        EXPECT_TRUE(missing("original receiving DFI")) << text_of(summary.problems);
    }
}

TEST(Parse, reports_every_problem_in_file_order) {
    std::string bytes = with_field(5, 30, "00000O7500");
    bytes.replace(95 * 2 + 1, 2, "2X");  // transaction code of the first entry
    const auto file = parse(bytes);
    ASSERT_FALSE(file);
    ASSERT_EQ(file.error().size(), 2U) << text_of(file.error());
    EXPECT_EQ(file.error()[0].line, 3U);
    EXPECT_EQ(file.error()[1].line, 5U);
}

TEST(Parse, never_shows_an_account_number) {
    // The account number shifts into its neighbors when a character is lost or added before it.
    for (const std::size_t position : {4U, 5U, 12U, 13U, 20U}) {
        for (const bool keep_length : {true, false}) {
            const std::string bytes = with_line(5, [&](std::string text) {
                text.replace(29, 10, "SECRET1234");
                text.insert(position - 1, "9");
                if (keep_length) text.pop_back();
                return text + "\n";
            });
            const auto file = parse(bytes);
            ASSERT_FALSE(file);
            EXPECT_THAT(text_of(file.error()), ::testing::Not(HasSubstr("SECRET")));
        }
    }
}

TEST(Parse, reads_only_the_positions_of_a_field) {
    // An advice has 15 characters of account number before its amount.
    const auto advices = parse(read_data("adv.ach"));
    ASSERT_TRUE(advices) << text_of(advices.error());
    EXPECT_EQ(advices->batches.at(0).entries.at(0).dfi_account_number, "744-5678-99");
    std::string bytes = read_data("adv.ach");
    bytes.replace(2 * 95 + 12, 15, "123456789012345");
    EXPECT_EQ(parse(bytes).value().batches.at(0).entries.at(0).dfi_account_number, "123456789012345");
    // A change of an international entry has 35 characters of corrected data. What follows is reserved.
    bytes = read_data("iat-returns.ach");
    const std::string corrected(35, '7');
    bytes.replace(bytes.find("\n798") + 1 + 35, 36, corrected + "X");
    const auto changes = parse(bytes);
    ASSERT_TRUE(changes) << text_of(changes.error());
    EXPECT_EQ(std::get<ChangeAddenda>(changes->batches.at(1).entries.at(0).addenda.at(0)).corrected_data, corrected);
}

}  // namespace
}  // namespace drawbridge::nacha
