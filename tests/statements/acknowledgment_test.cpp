// The bank's list of the payment files that it has: read whole or not at all, strict about counts and amounts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "drawbridge/statements/read.hpp"

namespace drawbridge::statements {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view plain =
    "file_name,payments,total\nACH-20261120-A.ach,12,3456.78\nCHK-20261120-0001.csv,0,0.00\n";

std::expected<StatementFacts, text::Diagnostics> read(std::string_view bytes, const ReadOptions& options = {}) {
    return read_statement(bytes, "ack.csv", options, [](const Confirmation&) { ADD_FAILURE() << "no confirmation"; });
}

ReadOptions by_profile(std::string_view yaml) {
    ReadOptions options;
    options.csv_profiles = {read_csv_profile(yaml, "bank.yaml").value()};
    options.profile = "bank";
    return options;
}

TEST(AcknowledgmentFile, is_recognized_by_its_header) {
    ReadOptions options;
    options.rules = {{"*.csv", Format::csv, ""}};
    const auto facts = read(plain, options);
    ASSERT_TRUE(facts) << text::to_string(facts.error());
    EXPECT_EQ(facts->format, Format::acknowledgment);
    EXPECT_EQ(facts->lines, 0);
    EXPECT_THAT(facts->acknowledgments,
                ElementsAre(Acknowledgment{"ACH-20261120-A.ach", 12, Money::from_cents(3456'78), 2},
                            Acknowledgment{"CHK-20261120-0001.csv", 0, Money(), 3}));
    const auto quoted = read("\"file_name\",\"payments\",\"total\"\r\"A.ach\",\"3\",\"4.00\"\r", options);
    ASSERT_TRUE(quoted) << text::to_string(quoted.error());
    EXPECT_THAT(quoted->acknowledgments, ElementsAre(Acknowledgment{"A.ach", 3, Money::from_cents(4'00), 2}));
}

TEST(AcknowledgmentFile, is_read_by_the_columns_of_a_profile) {
    const auto options = by_profile(
        "format: acknowledgment\nseparator: \";\"\nfile_name: File\npayments: Credits\n"
        "total: {column: Amount, thousands: \",\"}\n");
    const auto facts = read("Day;File;Credits;Amount\n11/20;A.ach;3;\"1,300.00\"\n", options);
    ASSERT_TRUE(facts) << text::to_string(facts.error());
    EXPECT_EQ(facts->format, Format::acknowledgment);
    EXPECT_THAT(facts->acknowledgments, ElementsAre(Acknowledgment{"A.ach", 3, Money::from_cents(1300'00), 2}));
}

TEST(AcknowledgmentFile, refuses_a_profile_without_a_column) {
    const auto read =
        read_csv_profile("format: acknowledgment\nfile_name: File\ntotal: {debit: A, credit: B}\n", "p.yaml");
    ASSERT_FALSE(read);
    EXPECT_THAT(text::to_string(read.error()), HasSubstr("payments"));
    EXPECT_THAT(text::to_string(read.error()), HasSubstr("the total of an acknowledgment has no direction"));
}

TEST(AcknowledgmentFile, is_refused_whole_on_a_bad_count_or_amount) {
    struct Case {
        const char* line;
        const char* says;
    };
    for (const auto& [line, says] : {
             Case{",1,1.00", "is not a file name"},
             Case{"A.ach,,1.00", "is not a number of payments"},
             Case{"A.ach,+1,1.00", "is not a number of payments"},
             Case{"A.ach,1.0,1.00", "is not a number of payments"},
             Case{"A.ach,-1,1.00", "is not a number of payments"},
             Case{"A.ach,99999999999999999999,1.00", "is not a number of payments"},
             Case{"A.ach,1,-1.00", "is negative"},
             Case{"A.ach,1,1.001", "the total '1.001' is not an amount like 1234.50"},
             Case{"A.ach,1,\"127,734.30\"", "the total '127,734.30' is not an amount like 1234.50, without a dollar"},
             Case{"A.ach,1,", "the total '' is not an amount"},
             Case{"A.ach,1", "2 fields, but there should be 3"},
         }) {
        const auto facts = read("file_name,payments,total\nB.ach,1,1.00\n" + std::string(line) + "\n");
        ASSERT_FALSE(facts) << line;
        EXPECT_THAT(text::to_string(facts.error()), HasSubstr(says)) << line;
        EXPECT_THAT(text::to_string(facts.error()), HasSubstr("ack.csv:3")) << line;
    }
    EXPECT_FALSE(read("file_name,payments,total\n")) << "it may be truncated";
}

TEST(AcknowledgmentFile, is_refused_with_too_many_lines) {
    std::string bytes = "file_name,payments,total\n";
    for (int i = 0; i < 10'000; ++i)
        bytes += "A.ach,1,1.00\n";
    EXPECT_TRUE(read(bytes));
    EXPECT_FALSE(read(bytes + "A.ach,1,1.00\n"));
}

TEST(AcknowledgmentFile, is_not_recognized_with_other_columns) {
    ReadOptions options;
    options.profile = "acknowledgment";
    EXPECT_FALSE(read("file_name,total,payments\nA.ach,1.00,1\n", options));
}

}  // namespace
}  // namespace drawbridge::statements
