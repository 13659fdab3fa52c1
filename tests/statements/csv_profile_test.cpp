#include "drawbridge/statements/csv_profile.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace drawbridge::statements {
namespace {

using testing::HasSubstr;

const std::string good = R"(format: csv
references:
  - {kind: trace_number, column: Trace}
status: Status
amount: Amount
date: Date
)";

TEST(CsvProfile, reads_a_minimal_profile_with_defaults) {
    const auto profile = read_csv_profile(good, "/etc/drawbridge/profiles/city.bank.yaml");
    ASSERT_TRUE(profile) << text::to_string(profile.error());
    EXPECT_EQ(profile->name, "city.bank");
    EXPECT_EQ(profile->date_format, "YYYY-MM-DD");
    EXPECT_EQ(profile->words.size(), 3U);
    EXPECT_EQ(profile->negative, Negative::refused);
}

TEST(CsvProfile, reports_every_mistake_with_its_position) {
    struct Case {
        std::string from, to;
        const char* says;
    };
    const Case cases[] = {
        {"format: csv", "format: xls", "p.yaml:1:9: unknown format 'xls'"},
        {"format: csv\n", "", "missing key 'format'"},
        {"status: Status", "statsu: Status", "did you mean 'status'?"},
        {"status: Status\n", "", "the profile does not define whether a line is paid or returned"},
        {"status: Status", "status: {constant: cleared}", "is not one of the words"},
        {"status: Status", "status: {column: A, constant: b}", "either a column or a constant"},
        {"trace_number", "trace_numbr", "did you mean 'trace_number'?"},
        {"references:\n  - {kind: trace_number, column: Trace}", "references: []", "references must be a list"},
        {"amount: Amount", "amount: {debit: A}", "a debit and a credit column"},
        {"amount: Amount", "amount: {column: A, decimal: \",\", thousands: \",\"}", "the same character"},
        {"amount: Amount", "amount: {column: A, negative: maybe}", "unknown negative 'maybe'"},
        {"amount: Amount", "amount: Amount\ndirection: {out: paid, in: returned}", "the amount has no direction"},
        {"date: Date", "date: {column: Date, format: MM/DD}", "'MM/DD' is not a date format"},
        {"date: Date", "date: {column: Date, format: YYYY-MM-DDTHH}", "is not a date format"},
        {"date: Date", "date: {constant: 2026-02-30}", "is not written as YYYY-MM-DD"},
        {"date: Date", "date: Date\nseparator: x", "separator 'x' is not allowed"},
        {"date: Date", "date: Date\nheader: false", "the file has no header"},
        {"date: Date", "date: Date\nwords: {paid: [A, a]}", "duplicate word 'a'"},
        {"date: Date", "date: Date\nencoding: utf-16", "unknown encoding 'utf-16'"},
        {"date: Date", "date: Date\ncontrol: {count: 1}", "control uses row 1 of a footer of 0"},
        {"date: Date", "date: Date\nskip: {foot: 101}", "foot"},
        {"date: Date", "date: Date\nskip: {head: -1}", "head"},
        {"date: Date", "date: Date\nskip: {foot: 1}\ncontrol: {row: 1}", "neither count nor total"},
    };
    for (const Case& one : cases) {
        std::string yaml = good;
        yaml.replace(yaml.find(one.from), one.from.size(), one.to);
        const auto read = read_csv_profile(yaml, "p.yaml");
        ASSERT_FALSE(read) << yaml;
        EXPECT_THAT(text::to_string(read.error()), HasSubstr(one.says)) << yaml;
    }
}

TEST(CsvProfile, may_skip_nothing_or_a_hundred_lines) {
    for (const std::string lines : {"0", "100"}) {
        const auto read =
            read_csv_profile(std::string(good) + "skip: {head: " + lines + ", foot: " + lines + "}\n", "p.yaml");
        ASSERT_TRUE(read) << text::to_string(read.error());
        EXPECT_EQ(std::to_string(read->skip_head), lines);
        EXPECT_EQ(std::to_string(read->skip_foot), lines);
    }
}

TEST(CsvProfile, shipped_profiles_are_valid) {
    int read = 0;
    for (const auto& entry : std::filesystem::directory_iterator(DRAWBRIDGE_SOURCE_DIR "/config/profiles")) {
        std::ifstream file(entry.path());
        const std::string yaml((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
        const auto profile = read_csv_profile(yaml, entry.path().string());
        EXPECT_TRUE(profile) << text::to_string(profile.error());
        ++read;
    }
    EXPECT_GE(read, 3);
}

TEST(CsvProfile, schema_has_the_readers_keys) {
    std::ifstream file(DRAWBRIDGE_SOURCE_DIR "/config/schema/confirmation-profile.schema.json");
    const auto properties = nlohmann::json::parse(file)["properties"];
    const auto unknown = [](const std::string& yaml) {
        const auto read = read_csv_profile(yaml, "p.yaml");
        return !read && text::to_string(read.error()).contains("unknown key");
    };
    std::size_t blocks = 0;
    for (const auto& [key, value] : properties.items()) {
        EXPECT_FALSE(unknown(key + ": x\n")) << key;
        const auto& whole = value.contains("oneOf") ? value["oneOf"].back() : value;
        if (!whole.contains("properties")) continue;
        ++blocks;
        for (const auto& [inner, ignored] : whole["properties"].items())
            EXPECT_FALSE(unknown(key + ":\n  " + inner + ": x\n")) << key << "." << inner;
        EXPECT_TRUE(unknown(key + ":\n  nothing: x\n")) << key;
    }
    EXPECT_EQ(blocks, 7U) << "skip, words, amount, direction, date, ignore, control";
    // And in reverse: the keys that the reader suggests for a wrong key are in the schema.
    for (const char* key :
         {"format", "encoding", "separator", "quote", "skip", "header", "references", "status", "words", "amount",
          "direction", "date", "currency", "reason_code", "payee_name", "note", "ignore", "account", "control"})
        EXPECT_TRUE(properties.contains(key)) << key;
}

TEST(CsvProfile, acknowledgment_schema_has_the_readers_keys) {
    std::ifstream file(DRAWBRIDGE_SOURCE_DIR "/config/schema/acknowledgment-profile.schema.json");
    const auto properties = nlohmann::json::parse(file)["properties"];
    for (const auto& [key, value] : properties.items()) {
        if (key == "format") continue;
        const auto read = read_csv_profile("format: acknowledgment\n" + key + ": x\n", "p.yaml");
        EXPECT_TRUE(!read && !text::to_string(read.error()).contains("unknown key")) << key;
    }
    for (const char* key :
         {"format", "encoding", "separator", "quote", "skip", "header", "file_name", "payments", "total"})
        EXPECT_TRUE(properties.contains(key)) << key;
    const auto read = read_csv_profile("format: acknowledgment\nreferences: x\n", "p.yaml");
    EXPECT_TRUE(!read && text::to_string(read.error()).contains("unknown key"));
}

}  // namespace
}  // namespace drawbridge::statements
