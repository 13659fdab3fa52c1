// Measures how fast NACHA entries with addenda are encoded, and read with every rule checked, compared with copying the
// same bytes; and memory use by number of entries. Prints one line of JSON.
//   bench-nacha speed ENTRIES          in memory, best of five
//   bench-nacha write ENTRIES FILE     through the encoder's sink into a file
//   bench-nacha read FILE              in chunks of 256 KiB
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/bank_numbers.hpp"
#include "drawbridge/nacha/encoder.hpp"
#include "drawbridge/nacha/file_reader.hpp"

namespace {

using namespace drawbridge;
using Seconds = std::chrono::duration<double>;

constexpr std::int64_t batch_entries = 400'000;  // with their addenda they must fit six digits
constexpr int rounds = 5;

long peak_rss_kib() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

void put_digits(std::string& into, std::size_t at, std::int64_t value) {
    for (std::size_t i = into.size(); i > at; --i, value /= 10)
        into[i - 1] = static_cast<char>('0' + value % 10);
}

// A thousand payees, each with an addenda record; the trace number is set each time.
std::vector<nacha::EntryDetail> payees() {
    std::vector<nacha::EntryDetail> made(1000);
    std::int64_t number = 0;
    for (nacha::EntryDetail& entry : made) {
        ++number;
        entry.receiving_dfi_identification = "02100002";
        put_digits(entry.receiving_dfi_identification, 4, number);
        entry.check_digit = RoutingNumber::check_digit(entry.receiving_dfi_identification);
        entry.dfi_account_number = "0098765" + std::to_string(number);
        entry.amount = Money::from_cents(100'000 + number);
        entry.individual_identification = "P0000000000";
        put_digits(entry.individual_identification, 1, number);
        entry.individual_name = "PAYEE NUMBER " + std::to_string(number);
        entry.trace_number = "091000010000000";
        entry.addenda = {nacha::PaymentAddenda{"RENT ASSISTANCE FOR CASE " + std::to_string(70'000 + number), 1, 0}};
    }
    return made;
}

nacha::FileHeader file_header() {
    nacha::FileHeader header;
    header.immediate_destination = "091000019";
    header.immediate_origin = "1123456789";
    header.file_creation_date = BusinessDate(std::chrono::year(2026), std::chrono::November, std::chrono::day(20));
    header.file_creation_time = std::chrono::hours(9);
    header.immediate_destination_name = "FIRST BANK";
    header.immediate_origin_name = "CITY HOUSING OFFICE";
    return header;
}

nacha::BatchHeader batch_header(std::int64_t number) {
    nacha::BatchHeader header;
    header.company_name = "CITY HOUSING";
    header.company_identification = "1123456789";
    header.standard_entry_class_code = "PPD";
    header.company_entry_description = "DRAWPMT";
    header.effective_entry_date = BusinessDate(std::chrono::year(2026), std::chrono::November, std::chrono::day(23));
    header.odfi_identification = "09100001";
    header.batch_number = number;
    return header;
}

void encode(std::int64_t entries, std::vector<nacha::EntryDetail>& from, nacha::Encoder::Sink sink) {
    nacha::Encoder encoder(std::move(sink));
    encoder.begin_file(file_header());
    for (std::int64_t done = 0; done < entries; ++done) {
        if (done % batch_entries == 0) {
            if (done != 0) encoder.end_batch();
            encoder.begin_batch(batch_header(done / batch_entries + 1));
        }
        nacha::EntryDetail& entry = from[static_cast<std::size_t>(done) % from.size()];
        put_digits(entry.trace_number, 8, done + 1);
        std::get<nacha::PaymentAddenda>(entry.addenda.front()).entry_detail_sequence_number = done + 1;
        encoder.add(entry);
    }
    encoder.end_batch();
    if (const auto good = encoder.finish(); !good) {
        std::fprintf(stderr, "bench-nacha: %s\n", good.error().message.c_str());
        std::exit(1);
    }
}

void expect_valid(const nacha::ReadSummary& summary, std::int64_t entries) {
    if (summary.problems.empty() && (entries < 0 || summary.entries == entries)) return;
    std::fprintf(stderr, "bench-nacha: the file differs from what was written\n");
    std::exit(1);
}

double best(const auto& work) {
    double seconds = 1e9;
    for (int round = 0; round < rounds; ++round) {
        const auto begin = std::chrono::steady_clock::now();
        work();
        seconds = std::min(seconds, Seconds(std::chrono::steady_clock::now() - begin).count());
    }
    return seconds;
}

void speed(std::int64_t entries) {
    auto from = payees();
    std::string file;
    encode(entries, from, [&](std::string_view records) { file += records; });
    std::vector<char> copy(file.size(), 'x');  // touch its pages before timing
    const double copying = best([&] { std::memcpy(copy.data(), file.data(), file.size()); });
    const double encoding = best([&] {
        char* at = copy.data();
        encode(entries, from, [&](std::string_view records) {
            std::memcpy(at, records.data(), records.size());
            at += records.size();
        });
    });
    if (std::memcmp(copy.data(), file.data(), file.size()) != 0) std::exit(1);
    const double reading = best([&] {
        nacha::FileReader reader({});
        reader.feed(file);
        expect_valid(reader.finish(), entries);
    });
    std::printf(
        "{\"entries\": %lld, \"bytes\": %zu, \"encoded_per_second\": %.0f, \"read_per_second\": %.0f, "
        "\"copy_gb_per_second\": %.2f, \"encode_of_copy\": %.3f, \"read_of_copy\": %.3f}\n",
        static_cast<long long>(entries), file.size(), static_cast<double>(entries) / encoding,
        static_cast<double>(entries) / reading, static_cast<double>(file.size()) / copying / 1e9, copying / encoding,
        copying / reading);
}

void write(std::int64_t entries, const char* name) {
    auto from = payees();
    std::ofstream out(name, std::ios::binary | std::ios::trunc);
    encode(entries, from,
           [&](std::string_view records) { out.write(records.data(), static_cast<std::streamsize>(records.size())); });
    std::printf("{\"entries\": %lld, \"peak_rss_kib\": %ld}\n", static_cast<long long>(entries), peak_rss_kib());
}

void read(const char* name) {
    std::ifstream in(name, std::ios::binary);
    std::vector<char> piece(std::size_t{1} << 18);
    std::size_t records = 0;
    nacha::FileReader reader({}, [&](const nacha::Record&) { ++records; });
    while (in.read(piece.data(), static_cast<std::streamsize>(piece.size())) || in.gcount() > 0)
        reader.feed({piece.data(), static_cast<std::size_t>(in.gcount())});
    const auto summary = reader.finish();
    expect_valid(summary, -1);
    std::printf("{\"entries\": %lld, \"records\": %zu, \"peak_rss_kib\": %ld}\n",
                static_cast<long long>(summary.entries), records, peak_rss_kib());
}

}  // namespace

int main(int argc, char** argv) {
    const std::string_view what = argc > 1 ? argv[1] : "";
    if (what == "speed" && argc == 3)
        speed(std::atoll(argv[2]));
    else if (what == "write" && argc == 4)
        write(std::atoll(argv[2]), argv[3]);
    else if (what == "read" && argc == 3)
        read(argv[2]);
    else
        return std::fprintf(stderr, "bench-nacha speed ENTRIES | write ENTRIES FILE | read FILE\n"), 2;
    return 0;
}
