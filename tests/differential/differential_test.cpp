// What Drawbridge writes and computes, beside programs in another language that were written from the same rules.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "drawbridge/domain/banking_calendar.hpp"
#include "drawbridge/nacha/encode.hpp"
#include "drawbridge/nacha/parse.hpp"
#include "nacha/random_files.hpp"
#include "support/program.hpp"

namespace drawbridge {
namespace {

using nlohmann::json;

std::string script(const char* name) {
    return "python3 '" DRAWBRIDGE_SOURCE_DIR "/tests/differential/" + std::string(name) + "'";
}

// The output of a shell command, which must succeed.
std::string output_of(const std::string& command) {
    FILE* const pipe = ::popen((command + " 2>&1").c_str(), "r");
    if (pipe == nullptr) throw std::runtime_error("cannot start: " + command);
    std::string text;
    char buffer[4096];
    while (const std::size_t size = std::fread(buffer, 1, sizeof buffer, pipe))
        text.append(buffer, size);
    EXPECT_EQ(::pclose(pipe), 0) << command << "\n" << text;
    return text;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

std::string yymmdd(BusinessDate date) {
    const auto text = format_date(date);
    return text.substr(2, 2) + text.substr(5, 2) + text.substr(8, 2);
}

std::string hhmm(std::chrono::minutes time) {
    char text[16];
    std::snprintf(text, sizeof text, "%02d%02d", static_cast<int>(time.count() / 60),
                  static_cast<int>(time.count() % 60));
    return text;
}

json view(const nacha::Addenda& addenda) {
    return std::visit(
        [](const auto& value) -> json {
            using T = std::decay_t<decltype(value)>;
            if constexpr (std::is_same_v<T, nacha::PaymentAddenda>) {
                return {"05", value.payment_related_information, value.addenda_sequence_number,
                        value.entry_detail_sequence_number};
            } else if constexpr (std::is_same_v<T, nacha::ChangeAddenda>) {
                return {"98",
                        value.change_code,
                        value.original_entry_trace_number,
                        value.original_receiving_dfi,
                        value.corrected_data,
                        value.trace_number};
            } else if constexpr (std::is_same_v<T, nacha::ReturnAddenda>) {
                return {"99",
                        value.return_reason_code,
                        value.original_entry_trace_number,
                        value.date_of_death,
                        value.original_receiving_dfi,
                        value.addenda_information,
                        value.trace_number};
            } else {
                return {"other", value.record};
            }
        },
        addenda);
}

json view(const nacha::EntryDetail& entry) {
    json addenda = json::array();
    for (const auto& one : entry.addenda)
        addenda.push_back(view(one));
    return {{"code", entry.transaction_code},
            {"rdfi", entry.receiving_dfi_identification},
            {"check_digit", std::string(1, entry.check_digit)},
            {"account", entry.dfi_account_number},
            {"cents", entry.amount.cents()},
            {"id", entry.individual_identification},
            {"name", entry.individual_name},
            {"discretionary", entry.discretionary_data},
            {"trace", entry.trace_number},
            {"addenda", addenda}};
}

json view(const nacha::Batch& batch) {
    const auto& header = batch.header;
    json entries = json::array();
    for (const auto& entry : batch.entries)
        entries.push_back(view(entry));
    return {{"service_class", static_cast<int>(header.service_class)},
            {"company", header.company_name},
            {"discretionary", header.company_discretionary_data},
            {"company_id", header.company_identification},
            {"sec", header.standard_entry_class_code},
            {"description", header.company_entry_description},
            {"descriptive_date", header.company_descriptive_date},
            {"effective", header.effective_entry_date ? yymmdd(*header.effective_entry_date) : ""},
            {"odfi", header.odfi_identification},
            {"number", header.batch_number},
            {"entries", entries}};
}

json view(const nacha::File& file) {
    const auto& header = file.header;
    json batches = json::array();
    for (const auto& batch : file.batches)
        batches.push_back(view(batch));
    return {{"destination", header.immediate_destination},
            {"origin", header.immediate_origin},
            {"created", yymmdd(header.file_creation_date) + hhmm(header.file_creation_time)},
            {"modifier", std::string(1, header.file_id_modifier)},
            {"destination_name", header.immediate_destination_name},
            {"origin_name", header.immediate_origin_name},
            {"reference", header.reference_code},
            {"batches", batches}};
}

TEST(Differential, a_reader_in_another_language_reads_every_field_and_total_of_our_nacha_files) {
    const test::TemporaryFolder folder;
    nacha::testing::RandomFiles any(71);
    nacha::testing::RandomPayments payments(72);
    std::vector<nacha::File> files;
    std::string command = script("nacha_reader.py");
    for (int i = 0; i < 200; ++i) {
        files.push_back(i % 2 == 0 ? any.next() : payments.next());
        const auto bytes = nacha::encode(files.back(), i % 3 == 0 ? nacha::LineEnd::crlf : nacha::LineEnd::lf);
        ASSERT_TRUE(bytes) << bytes.error().message;
        const auto path = folder.path() / (std::to_string(i) + ".ach");
        test::write_whole(path, *bytes);
        command += " " + path.string();
    }
    const auto read = lines_of(output_of(command));
    ASSERT_EQ(read.size(), files.size());
    for (std::size_t i = 0; i < files.size(); ++i)
        EXPECT_EQ(json::parse(read[i]), view(files[i])) << "file " << i;
}

TEST(Differential, that_reader_notices_a_wrong_total) {
    const test::TemporaryFolder folder;
    auto bytes = nacha::encode(nacha::testing::credits()).value();
    bytes[bytes.find("\n9") + 32] = '7';  // file control: debits
    test::write_whole(folder.path() / "wrong.ach", bytes);
    const std::string command = script("nacha_reader.py") + " '" + (folder.path() / "wrong.ach").string() + "'";
    EXPECT_NE(std::system((command + " >/dev/null 2>&1").c_str()), 0);
}

TEST(Differential, the_banking_calendar_agrees_with_a_walk_through_every_day_from_2000_to_2060) {
    const auto closed = lines_of(output_of(script("bank_holidays.py") + " 2000 2060"));
    ASSERT_GT(closed.size(), 500U);
    const BankingCalendar calendar;
    std::vector<std::string> ours;
    const std::chrono::sys_days last = std::chrono::year(2060) / 12 / 31;
    for (std::chrono::sys_days day = std::chrono::year(2000) / 1 / 1; day <= last; day += std::chrono::days(1)) {
        const unsigned weekday = std::chrono::weekday(day).iso_encoding();
        if (weekday < 6 && !calendar.is_banking_day(day)) ours.push_back(format_date(day));
    }
    EXPECT_EQ(ours, closed);
}

}  // namespace
}  // namespace drawbridge
