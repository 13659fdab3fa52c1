// Files from tests/data/nacha/make_samples.py, which implements the NACHA rules independently of Drawbridge.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "drawbridge/nacha/encode.hpp"
#include "drawbridge/nacha/parse.hpp"
#include "drawbridge/nacha/validate.hpp"
#include "nacha/sample_files.hpp"

namespace drawbridge::nacha {
namespace {

using testing::batch_header;
using testing::entry;
using testing::read_data;

EntryDetail with_addenda(EntryDetail entry, const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
        const auto sequence = static_cast<std::int64_t>(entry.addenda.size()) + 1;
        entry.addenda.emplace_back(PaymentAddenda{text, sequence, std::stoll(entry.trace_number.substr(8))});
    }
    return entry;
}

File file_of(Batch batch) {
    File file = testing::credits();
    file.batches = {std::move(batch)};
    return file;
}

File ppd() {
    return file_of(
        {batch_header("PPD", 1),
         {with_addenda(entry(22, "021000021", "123456789", 125000, "P0000000001", "JANE DOE", "091000010000001"),
                       {"RENT ASSISTANCE NOVEMBER"}),
          entry(32, "011401533", "SAV0099887", 7500, "P0000000002", "JOHN ROE", "091000010000002")}});
}
File ccd() {
    Batch batch{batch_header("CCD", 1),
                {with_addenda(entry(22, "121042882", "44-5566", 9999999999, "P0000000003", "CITY POWER AND LIGHT",
                                    "091000010000003"),
                              {"ACCOUNT 12 NOVEMBER"}),
                 entry(22, "021000021", "00012345678901234", 1, "P0000000004", "WATER WORKS", "091000010000004")}};
    batch.header.company_entry_description = "UTILITIES";
    batch.header.company_discretionary_data = "HOUSING";
    return file_of(std::move(batch));
}
File ctx() {
    return file_of(
        {batch_header("CTX", 1),
         {with_addenda(entry(22, "121042882", "445566", 1234567, "P0000000005", "ACME SUPPLY HOLD", "091000010000005"),
                       {"ISA*00*          *00*          *ZZ*CITY", "RMR*IV*2026-11-0042**12345.67", "SE*8*0001\\"})}});
}
File prenotes() {
    return file_of({batch_header("PPD", 1),
                    {entry(23, "021000021", "55500011", 0, "PRENOTE", "MARY POPPINS", "091000010000006"),
                     entry(33, "011401533", "55500012", 0, "PRENOTE", "BERT SWEEP", "091000010000007")}});
}
File balanced() {
    Batch batch{batch_header("PPD", 1),
                {entry(22, "021000021", "123456789", 125000, "P0000000008", "JANE DOE", "091000010000008"),
                 entry(32, "011401533", "SAV0099887", 7500, "P0000000009", "JOHN ROE", "091000010000009"),
                 entry(27, "091000019", "9988776655", 132500, "OFFSET", "CITY HOUSING", "091000010000010")}};
    batch.header.service_class = ServiceClass::mixed;
    return file_of(std::move(batch));
}

TEST(GoldenFiles, match_the_encoder_byte_for_byte_and_the_reader) {
    const std::pair<const char*, File> table[] = {
        {"ppd.ach", ppd()},          {"ccd.ach", ccd()},           {"ctx.ach", ctx()},
        {"prenote.ach", prenotes()}, {"balanced.ach", balanced()},
    };
    for (const auto& [name, file] : table) {
        const auto bytes = encode(file);
        ASSERT_TRUE(bytes) << name << ": " << bytes.error().message;
        EXPECT_EQ(*bytes, read_data(name)) << name;
        EXPECT_EQ(parse(read_data(name)), file) << name;
    }
}

std::string shown(const ReadSummary& summary) {
    std::string text;
    for (const Problem& p : summary.problems)
        text += std::to_string(p.line) + ":" + std::to_string(p.position) + ": " + p.message + "\n";
    return text;
}

TEST(GoldenFiles, are_valid_for_every_standard_entry_class) {
    for (const char* name :
         {"ppd.ach", "ccd.ach", "ctx.ach", "prenote.ach", "balanced.ach", "returns.ach", "changes.ach",
          "every-record.ach", "every-sec-code.ach", "iat.ach", "iat-returns.ach", "adv.ach", "disputes.ach"}) {
        const Validation validation = validate(read_data(name));
        EXPECT_TRUE(validation.is_valid()) << name << "\n" << shown(validation.summary);
        EXPECT_TRUE(validation.summary.problems.empty()) << name << "\n" << shown(validation.summary);
        EXPECT_TRUE(parse(read_data(name))) << name;
    }
}

TEST(GoldenFiles, read_the_same_with_any_line_end_and_chunk_size) {
    for (const char* name : {"every-record.ach", "adv.ach"}) {
        const std::string lf = read_data(name);
        std::string crlf, cr, none;
        for (const char c : lf) {
            crlf += c == '\n' ? "\r\n" : std::string(1, c);
            cr += c == '\n' ? '\r' : c;
            none += c == '\n' ? "" : std::string(1, c);
        }
        std::string blocks;
        for (std::size_t at = 0; at < none.size(); at += 940)
            blocks += none.substr(at, 940) + "\n";
        const auto expected = parse(lf);
        ASSERT_TRUE(expected);
        for (const std::string& bytes : {lf, crlf, cr, none, blocks, lf.substr(0, lf.size() - 1)}) {
            for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{94}, bytes.size()}) {
                FileReader reader({});
                for (std::size_t at = 0; at < bytes.size(); at += piece)
                    reader.feed(std::string_view(bytes).substr(at, piece));
                const ReadSummary summary = reader.finish();
                EXPECT_TRUE(summary.problems.empty()) << name << ", pieces of " << piece << "\n" << shown(summary);
                EXPECT_EQ(summary.total_credit, control_of(*expected).total_credit);
            }
            EXPECT_EQ(parse(bytes), expected);
        }
    }
}

}  // namespace
}  // namespace drawbridge::nacha
