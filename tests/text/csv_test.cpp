#include "drawbridge/text/csv.hpp"

#include <gtest/gtest.h>

#include <random>

namespace drawbridge::text {
namespace {

using namespace std::string_literals;

// "line[column:text|column:text]" for each row.
std::string show(const std::vector<CsvRow>& rows) {
    std::string shown;
    for (const CsvRow& row : rows) {
        shown += std::to_string(row.line) + "[";
        for (std::size_t i = 0; i < row.fields.size(); ++i)
            shown += (i > 0 ? "|" : "") + std::to_string(row.fields[i].column) + ":" + row.fields[i].text;
        shown += "]";
    }
    return shown;
}

TEST(ReadCsv, reports_the_line_and_column_of_every_field) {
    struct Case {
        std::string bytes;
        std::string rows;
    };
    const Case cases[] = {
        {"", ""},
        {"\n\r\n\r", ""},
        {"a,b\nc,d\n", "1[1:a|3:b]2[1:c|3:d]"},
        {"a,b\r\nc,d", "1[1:a|3:b]2[1:c|3:d]"},
        {"a\rb\rc", "1[1:a]2[1:b]3[1:c]"},
        {"\xEF\xBB\xBF"
         "a,b",
         "1[1:a|3:b]"},
        {"a,,\n,\n", "1[1:a|3:|4:]2[1:|2:]"},
        {"\n\na\n\r\n\nb", "3[1:a]6[1:b]"},
        {" a , b\t", "1[1: a |5: b\t]"},
        {"\"a,\"\"b\"\"\",c", "1[1:a,\"b\"|11:c]"},
        {"\"a\nb\r\nc\",d\ne", "1[1:a\nb\r\nc|4:d]4[1:e]"},
        {"\"\"\n\"\"", "1[1:]2[1:]"},
        {"\"\n\",\"\n\"\nx", "1[1:\n|3:\n]4[1:x]"},
        {"\xC3\xA9,x", "1[1:\xC3\xA9|4:x]"},
    };
    for (const Case& c : cases) {
        const auto rows = read_csv(c.bytes, "f.csv");
        ASSERT_TRUE(rows) << c.bytes << "\n" << to_string(rows.error());
        EXPECT_EQ(show(*rows), c.rows) << c.bytes;
    }
}

TEST(ReadCsv, accepts_other_delimiters_and_quotes) {
    const auto rows = read_csv("'a;b'\t;c\"", "f", {.delimiter = '\t', .quote = '\'', .max_field_bytes = 100});
    ASSERT_TRUE(rows);
    EXPECT_EQ(show(*rows), "1[1:a;b|7:;c\"]");
}

TEST(ReadCsv, reports_every_error_with_its_position) {
    struct Case {
        std::string bytes;
        std::vector<std::string> starts;
    };
    const Case cases[] = {
        {"a,\"b\nc\n", {"f:1:3: this quote is not closed"}},
        {"a\n\"b\"c,d\ne\nx\"y\n", {"f:2:4: text after a closing quote", "f:4:2: a quote inside a field"}},
        {"\"b\" ,d\n", {"f:1:4: text after a closing quote"}},
        {"a\0b\0\nc"s, {"f:1:2: a NUL byte"}},
        {"ok\n\xC3(,\xFF\nok\n\x80", {"f:2:1: these bytes are not UTF-8", "f:4:1: these bytes are not UTF-8"}},
        {"\xED\xA0\x80\n\xC0\x80\n\xF5\x80\x80\x80\n", {"f:1:1: these", "f:2:1: these", "f:3:1: these"}},
        {"a,123456\n1234567\n\"12345678901234567890\"x\nok\n",
         {"f:1:3: a field longer than 5 bytes", "f:2:1: a field longer", "f:3:1: a field longer"}},
        {"\xFF\xFE"
         "a\0"s,
         {"f: this is UTF-16 text"}},
    };
    for (const Case& c : cases) {
        const auto rows = read_csv(c.bytes, "f", {.max_field_bytes = 5});
        ASSERT_FALSE(rows) << c.bytes;
        ASSERT_EQ(rows.error().size(), c.starts.size()) << to_string(rows.error());
        for (std::size_t i = 0; i < c.starts.size(); ++i)
            EXPECT_TRUE(rows.error()[i].to_string().starts_with(c.starts[i])) << rows.error()[i].to_string();
    }
}

TEST(ReadCsv, accepts_a_field_of_exactly_the_limit) {
    EXPECT_TRUE(read_csv("12345,12345\n\"12345\"\n\"\"\"\"\"\"\"\"\"\"\"\"", "f", {.max_field_bytes = 5}));
}

TEST(ReadCsv, reports_at_most_a_thousand_errors_and_counts_the_rest) {
    std::string bytes;
    for (int i = 0; i < 1234; ++i)
        bytes += "x\"\n";
    const auto rows = read_csv(bytes, "f");
    ASSERT_FALSE(rows);
    ASSERT_EQ(rows.error().size(), 1001U);
    EXPECT_EQ(rows.error().back().to_string(), "f: and 234 more");
}

TEST(WriteCsvRow, quotes_only_where_needed) {
    EXPECT_EQ(write_csv_row({"a", "b c", "d,e", "f\"g", "h\ni", "", " j"}),
              "a,b c,\"d,e\",\"f\"\"g\",\"h\ni\",,\" j\"\n");
    EXPECT_EQ(write_csv_row({"a,b", "c\td"}, '\t'), "a,b\t\"c\td\"\n");
    EXPECT_EQ(write_csv_row({""}), "\"\"\n");
}

TEST(WriteCsvRow, is_read_back_unchanged) {
    std::mt19937 random(20260304);
    const std::string alphabet = "ab,\"\r\n \xC3\xA9";
    for (int round = 0; round < 2000; ++round) {
        std::vector<std::string> fields(1 + random() % 4);
        for (std::string& field : fields) {
            for (auto length = random() % 5; length > 0; --length) {
                const std::size_t pick = random() % (alphabet.size() - 1);
                field += pick >= alphabet.size() - 2 ? "\xC3\xA9" : std::string(1, alphabet[pick]);
            }
        }
        const std::string line = write_csv_row(fields);
        const auto rows = read_csv(line + line, "f");
        ASSERT_TRUE(rows) << line << to_string(rows.error());
        ASSERT_EQ(rows->size(), 2U) << line;
        for (const CsvRow& row : *rows) {
            ASSERT_EQ(row.fields.size(), fields.size()) << line;
            for (std::size_t i = 0; i < fields.size(); ++i)
                EXPECT_EQ(row.fields[i].text, fields[i]);
        }
    }
}

}  // namespace
}  // namespace drawbridge::text
