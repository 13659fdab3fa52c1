// Files shared by several NACHA tests.
#pragma once

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "drawbridge/nacha/records.hpp"

namespace drawbridge::nacha::testing {

inline std::string read_data(const std::string& name) {
    std::ifstream in(std::string(DRAWBRIDGE_TEST_DATA) + "/nacha/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

inline BusinessDate day(int year, unsigned month, unsigned of_month) {
    return BusinessDate(std::chrono::year(year), std::chrono::month(month), std::chrono::day(of_month));
}

inline BatchHeader batch_header(const std::string& sec_code, std::int64_t number) {
    BatchHeader header;
    header.company_name = "CITY HOUSING";
    header.company_identification = "1123456789";
    header.standard_entry_class_code = sec_code;
    header.company_entry_description = "DRAWPMT";
    header.effective_entry_date = day(2026, 11, 23);
    header.odfi_identification = "09100001";
    header.batch_number = number;
    return header;
}

inline EntryDetail entry(int transaction_code, const std::string& routing_number, const std::string& account,
                         std::int64_t cents, const std::string& id, const std::string& name,
                         const std::string& trace_number) {
    EntryDetail entry;
    entry.transaction_code = transaction_code;
    entry.receiving_dfi_identification = routing_number.substr(0, 8);
    entry.check_digit = routing_number.back();
    entry.dfi_account_number = account;
    entry.amount = Money::from_cents(cents);
    entry.individual_identification = id;
    entry.individual_name = name;
    entry.trace_number = trace_number;
    return entry;
}

// The contents of tests/data/nacha/credits.ach, whose bytes were written by hand from the field tables, not by the
// encoder.
inline File credits() {
    File file;
    file.header.immediate_destination = "091000019";
    file.header.immediate_origin = "1123456789";
    file.header.file_creation_date = day(2026, 11, 20);
    file.header.file_creation_time = std::chrono::hours(9) + std::chrono::minutes(5);
    file.header.immediate_destination_name = "FIRST BANK";
    file.header.immediate_origin_name = "CITY HOUSING OFFICE";

    Batch ppd{batch_header("PPD", 1), {}};
    ppd.entries.push_back(entry(22, "021000021", "123456789", 125000, "P0000000001", "JANE DOE", "091000010000001"));
    ppd.entries.back().addenda = {PaymentAddenda{"RENT ASSISTANCE NOVEMBER", 1, 1}};
    ppd.entries.push_back(entry(32, "011401533", "SAV0099887", 7500, "P0000000002",
                                "A NAME THAT IS LONGER THAN THE FIELD", "091000010000002"));

    Batch ctx{batch_header("CTX", 2), {}};
    ctx.entries.push_back(
        entry(22, "121042882", "445566", 100, "P0000000003", "ACME SUPPLY HOLDING", "091000010000003"));
    ctx.entries.back().addenda = {PaymentAddenda{"ISA*00*          *00*          *ZZ*CITY", 1, 3},
                                  PaymentAddenda{"SE*8*0001\\", 2, 3}};
    file.batches = {ppd, ctx};
    return file;
}

}  // namespace drawbridge::nacha::testing
