#include "drawbridge/nacha/encode.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "drawbridge/nacha/encoder.hpp"
#include "nacha/sample_files.hpp"

namespace drawbridge::nacha {
namespace {

using testing::batch_header;
using testing::credits;
using testing::day;
using testing::entry;
using ::testing::HasSubstr;

TEST(Encode, writes_the_golden_file_byte_for_byte) {
    const auto bytes = encode(credits());
    ASSERT_TRUE(bytes) << bytes.error().message;
    EXPECT_EQ(*bytes, testing::read_data("credits.ach"));
}

TEST(Encode, ends_lines_as_requested) {
    const auto bytes = encode(credits(), LineEnd::crlf);
    ASSERT_TRUE(bytes);
    ASSERT_EQ(bytes->size(), 20U * 96U);
    std::string lf = *bytes;
    std::erase(lf, '\r');
    EXPECT_EQ(lf, testing::read_data("credits.ach"));
    EXPECT_TRUE(bytes->ends_with("\r\n"));
}

TEST(Encode, pads_to_whole_blocks_and_no_further) {
    struct Case {
        std::size_t entries, lines;
    };
    for (const auto& [entries, lines] : {Case{1, 10}, Case{6, 10}, Case{7, 20}, Case{16, 20}, Case{17, 30}}) {
        File file = credits();
        file.batches.resize(1);
        file.batches[0].entries.assign(entries, entry(22, "021000021", "1", 1, "X", "N", "091000010000001"));
        const auto bytes = encode(file);
        ASSERT_TRUE(bytes);
        EXPECT_EQ(bytes->size(), lines * 95) << entries << " entries";
    }
}

TEST(Encode, keeps_the_last_ten_digits_of_the_hash) {
    Batch batch{batch_header("CCD", 1), {}};
    for (int i = 0; i < 101; ++i)
        batch.entries.push_back(entry(22, "999999992", "1", 1, "X", "N", "091000010000001"));
    EXPECT_EQ(control_of(batch).entry_hash, 99'999'999LL * 101 % 10'000'000'000LL);
}

TEST(Encode, puts_a_nine_digit_origin_after_a_space) {
    File file = credits();
    file.header.immediate_origin = "123456789";
    const auto bytes = encode(file);
    ASSERT_TRUE(bytes);
    EXPECT_EQ(bytes->substr(13, 10), " 123456789");
}

TEST(Encode, writes_the_same_bytes_entry_by_entry) {
    const File file = credits();
    std::string bytes;
    Encoder encoder([&](std::string_view records) {
        EXPECT_EQ(records.size() % 95, 0U) << "whole records";
        bytes += records;
    });
    encoder.begin_file(file.header);
    for (const Batch& batch : file.batches) {
        encoder.begin_batch(batch.header);
        for (const EntryDetail& entry : batch.entries)
            encoder.add(entry);
        encoder.end_batch();
    }
    ASSERT_TRUE(encoder.finish());
    EXPECT_EQ(bytes, testing::read_data("credits.ach"));
}

TEST(Encode, uses_constant_memory_for_a_long_file) {
    std::size_t bytes = 0, max_at_once = 0, calls = 0;
    Encoder encoder([&](std::string_view records) {
        bytes += records.size();
        max_at_once = std::max(max_at_once, records.size());
        ++calls;
    });
    const File file = credits();
    encoder.begin_file(file.header);
    encoder.begin_batch(file.batches[0].header);
    const std::int64_t entries = 50'000;
    for (std::int64_t i = 0; i < entries; ++i)
        encoder.add(file.batches[0].entries[0]);
    encoder.end_batch();
    ASSERT_TRUE(encoder.finish());
    EXPECT_EQ(bytes, (1 + 1 + 2 * 50'000 + 1 + 1 + 6) * std::size_t{95});
    EXPECT_LE(max_at_once, std::size_t{1} << 16);
    EXPECT_GT(calls, 100U);
}

TEST(Encode, refuses_a_batch_whose_count_needs_seven_digits) {
    const File file = credits();
    EntryDetail entry = file.batches[0].entries[0];
    entry.amount = Money::from_cents(1);
    for (const auto& [entries, fits] : {std::pair(499'999, true), std::pair(500'000, false)}) {
        Encoder encoder([](std::string_view) {});
        encoder.begin_file(file.header);
        encoder.begin_batch(file.batches[0].header);
        for (int i = 0; i < entries; ++i)
            encoder.add(entry);
        encoder.end_batch();
        const auto good = encoder.finish();
        EXPECT_EQ(good.has_value(), fits) << entries;
        if (fits) continue;
        EXPECT_THAT(good.error().message, HasSubstr("control of batch 1: entry and addenda count does not fit"));
    }
}

TEST(Encode, omits_padding_when_not_requested) {
    const auto bytes = encode(credits(), LineEnd::lf, Padding::none);
    ASSERT_TRUE(bytes);
    EXPECT_EQ(*bytes, testing::read_data("credits.ach").substr(0, 12 * 95));
}

struct Refusal {
    const char* what;
    std::function<void(File&)> change;
    const char* field;
};

TEST(Encode, refuses_what_does_not_fit_and_names_the_field) {
    const auto first = [](File& file) -> EntryDetail& { return file.batches[0].entries[0]; };
    const Refusal table[] = {
        {"an amount over the entry limit", [&](File& f) { first(f).amount = max_entry_amount + Money::from_cents(1); },
         "amount"},
        {"a negative amount", [&](File& f) { first(f).amount = Money::from_cents(-1); }, "amount"},
        {"a long account number", [&](File& f) { first(f).dfi_account_number = "123456789012345678"; },
         "DFI account number"},
        {"a short routing number", [&](File& f) { first(f).receiving_dfi_identification = "1234567"; },
         "receiving DFI identification"},
        {"a letter for a check digit", [&](File& f) { first(f).check_digit = 'X'; }, "check digit"},
        {"a long identification", [&](File& f) { first(f).individual_identification = "1234567890123456"; },
         "individual identification"},
        {"a newline in a name", [&](File& f) { first(f).individual_name = "JANE\nDOE"; }, "individual name"},
        {"a name that is not ASCII", [&](File& f) { first(f).individual_name = "JOS\xC3\x89"; }, "individual name"},
        {"a short trace number", [&](File& f) { first(f).trace_number = "1"; }, "trace number"},
        {"a long batch number", [](File& f) { f.batches[0].header.batch_number = 10'000'000; }, "batch number"},
        {"a long company id", [](File& f) { f.batches[0].header.company_identification = "12345678901"; },
         "company identification"},
        {"a SEC code of two letters", [](File& f) { f.batches[0].header.standard_entry_class_code = "PP"; },
         "standard entry class code"},
        {"a date that does not exist", [](File& f) { f.batches[0].header.effective_entry_date = day(2026, 2, 30); },
         "effective entry date"},
        {"a date of the next century", [](File& f) { f.header.file_creation_date = day(2100, 1, 1); },
         "file creation date"},
        {"a time past midnight", [](File& f) { f.header.file_creation_time = std::chrono::hours(24); },
         "file creation time"},
        {"a lower-case modifier", [](File& f) { f.header.file_id_modifier = 'a'; }, "file id modifier"},
        {"an origin of eight", [](File& f) { f.header.immediate_origin = "12345678"; }, "immediate origin"},
        {"a destination of ten", [](File& f) { f.header.immediate_destination = "0910000190"; },
         "immediate destination"},
        {"an addenda record of two lines",
         [&](File& f) { std::get<PaymentAddenda>(first(f).addenda[0]).payment_related_information = "ONE\nTWO"; },
         "payment related information"},
        {"totals over twelve digits",
         [&](File& f) {
             first(f).amount = max_entry_amount;
             const EntryDetail entry = first(f);
             f.batches[0].entries.assign(101, entry);
         },
         "total credit"},
    };
    for (const Refusal& row : table) {
        File file = credits();
        row.change(file);
        const auto bytes = encode(file);
        ASSERT_FALSE(bytes) << row.what;
        EXPECT_EQ(bytes.error().code, ErrorCode::invalid_input);
        EXPECT_THAT(bytes.error().message, HasSubstr(row.field)) << row.what;
        EXPECT_THAT(bytes.error().message, ::testing::Not(HasSubstr("123456789012345678")));
    }
}

TEST(Encode, checks_each_character_of_text_of_any_length) {
    for (std::size_t length = 1; length <= 80; ++length) {
        for (std::size_t at = 0; at < length; ++at) {
            for (const char c : {'\x1F', '\x20', '\x7E', '\x7F', '\x80', '\xFF'}) {
                File file = credits();
                std::string text(length, 'A');
                text[at] = c;
                std::get<PaymentAddenda>(file.batches[0].entries[0].addenda[0]).payment_related_information = text;
                const auto bytes = encode(file);
                ASSERT_EQ(bytes.has_value(), c == '\x20' || c == '\x7E') << length << " " << at;
                if (bytes) {
                    ASSERT_EQ(bytes->substr(3 * 95 + 3, length), text);
                }
            }
        }
    }
}

TEST(Encode, checks_each_digit_of_a_number) {
    for (std::size_t at = 0; at < 15; ++at) {
        for (const char c : {'/', '0', '9', ':', ' ', '\xB0', '\xFF'}) {
            File file = credits();
            file.batches[0].entries[0].trace_number[at] = c;
            EXPECT_EQ(encode(file).has_value(), c == '0' || c == '9') << at << c;
        }
    }
}

}  // namespace
}  // namespace drawbridge::nacha
