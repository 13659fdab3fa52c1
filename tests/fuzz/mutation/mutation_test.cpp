#include "fuzz/mutation/mutation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "drawbridge/nacha/validate.hpp"
#include "drawbridge/statements/read.hpp"

namespace drawbridge::fuzz {
namespace {

using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::IsEmpty;

std::string sample(const std::string& name) {
    std::ifstream file(std::filesystem::path(DRAWBRIDGE_TEST_DATA) / name, std::ios::binary);
    EXPECT_TRUE(file) << name;
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Without the first line that begins like that, and the addenda or continuations after it.
std::string without_record(std::string file, const std::string& start) {
    const std::size_t begin = file.find("\n" + start) + 1;
    do {
        file.erase(begin, file.find('\n', begin) + 1 - begin);
    } while (file.substr(begin).starts_with("7") || file.substr(begin).starts_with("88,"));
    return file;
}

Chance chance(std::uint64_t seed) {
    return {Random(seed), [](std::string text) {
                if (!text.empty()) text.front() = '7';
                return text;
            }};
}

bool is_read(std::string_view file) {
    return statements::read_statement(file, "f", {}, [](const Confirmation&) {}).has_value();
}

// How many of a thousand changed files, with or without new totals, are still read.
std::size_t still_read(const std::string& file) {
    std::size_t read = 0;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        Chance given = chance(seed);
        read += is_read(mutate_bank_file(file, given)) ? 1U : 0U;
    }
    return read;
}

TEST(NachaTotals, are_right_after_an_entry_was_taken_out) {
    for (const char* name : {"nacha/every-record.ach", "nacha/ppd.ach", "nacha/adv.ach"}) {
        const std::string cut = without_record(sample(name), "6");
        EXPECT_FALSE(nacha::validate(cut).is_valid()) << name;
        const auto again = nacha::validate(with_nacha_totals(cut));
        EXPECT_TRUE(again.is_valid()) << name << ": " << again.summary.problems.front().message;
    }
}

TEST(Bai2Totals, are_right_after_a_transaction_was_taken_out) {
    for (const char* name : {"bai2-sample1.txt", "bai2-sample3.txt", "bai2-checks-in-text.bai"}) {
        const std::string cut = without_record(sample(std::string("statements/") + name), "16,");
        EXPECT_FALSE(is_read(cut)) << name;
        EXPECT_TRUE(is_read(with_bai2_totals(cut))) << name;
    }
}

TEST(Mutations, leave_many_files_readable) {
    EXPECT_THAT(still_read(sample("nacha/returns.ach")), Ge(100U));
    EXPECT_THAT(still_read(sample("statements/bai2-sample3.txt")), Ge(200U));
    EXPECT_THAT(still_read(sample("statements/camt053-in-envelope.xml")), Ge(200U));
}

TEST(Mutations, are_the_same_for_a_seed) {
    const std::string file = sample("statements/bai2-sample3.txt");
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        Chance one = chance(seed), other = chance(seed);
        EXPECT_EQ(mutate_bank_file(file, one), mutate_bank_file(file, other));
    }
}

TEST(Mutations, take_any_file_and_are_the_same_for_a_seed) {
    for (const std::string file : {"", "\n", "<", "01,", "<a", "</a>", "101", "\r\r\n", "16,", "01,\n\n"}) {
        for (std::uint64_t seed = 0; seed < 200; ++seed) {
            Chance given = chance(seed), again = chance(seed);
            EXPECT_EQ(mutate_nacha(file, given), mutate_nacha(file, again));
            EXPECT_EQ(mutate_bai2(file, given), mutate_bai2(file, again));
            EXPECT_EQ(mutate_xml(file, given), mutate_xml(file, again));
            EXPECT_EQ(cross_bank_files(file, "<a>b</a>", given), cross_bank_files(file, "<a>b</a>", again));
            EXPECT_EQ(cross_bank_files("01,\n99,/", file, given), cross_bank_files("01,\n99,/", file, again));
        }
    }
}

}  // namespace
}  // namespace drawbridge::fuzz
