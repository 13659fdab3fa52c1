// A NACHA file with one return or notification of change, built by hand, and what is read of it.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "statements/shown.hpp"

namespace drawbridge::statements {

inline std::string padded(std::string text, std::size_t width = 94) {
    text.resize(width, ' ');
    return text;
}

struct Return {
    std::string code = "R03";
    std::string settlement = "   ";    // 76-78
    std::string effective = "      ";  // 70-75
    std::string sec = "PPD";
    std::string created = "261230";        // the file date; empty: no file header or file control
    std::string addenda_information = {};  // 36-79
    std::string date_of_death = {};        // 22-27
    int transaction_code = 21;
    bool change = false;
    std::string original_trace = "091000010000077";  // 7-21
    std::string individual_id = "P0000000123";       // 40-54 of the entry
    std::string company = "1123456789";
    std::string original_dfi = "09100001";  // 28-35
};

// One batch with one entry, built by hand.
inline std::string file_of(const Return& r) {
    const std::string amount = r.change ? "0000000000" : "0000030000";
    std::string file;
    if (!r.created.empty())
        file += padded("101 091000019 123456780" + r.created + "1200A094101OFFICE                 FIRST BANK") + "\n";
    file += padded("5200CITY HOUSING    " + padded("", 20) + r.company + r.sec + "DRAWPMT   " + padded("", 6) +
                   r.effective + r.settlement + "1091000010000001") +
            "\n";
    file += "6" + std::to_string(r.transaction_code) + "09100001" + "9" + padded("123456789", 17) + amount +
            padded(r.individual_id, 15) + padded("JANE ROE", 22) + "  1" + "091000010000001" + "\n";
    file += padded("7" + std::string(r.change ? "98" : "99") + r.code + r.original_trace + padded(r.date_of_death, 6) +
                       r.original_dfi + r.addenda_information,
                   79) +
            "091000010000001\n";
    const std::string debit = r.transaction_code % 10 > 4 && !r.change ? "000000030000" : "000000000000";
    const std::string credit = r.transaction_code % 10 <= 4 && !r.change ? "000000030000" : "000000000000";
    file +=
        "8200"
        "000002"
        "0009100001" +
        debit + credit + r.company + padded("", 25) +
        "09100001"
        "0000001"
        "\n";
    if (!r.created.empty()) file += padded("9000001000001000000020009100001" + debit + credit) + "\n";
    return file;
}

inline std::string line_of_bytes(const std::string& bytes, const ReadOptions& options = {}) {
    const std::string text = shown(bytes, "r.ach", options);
    return text.starts_with("nacha") ? text.substr(text.find('\n') + 1) : text;
}

inline std::string line_of(const Return& r, const ReadOptions& options = {}) {
    return line_of_bytes(file_of(r), options);
}

inline ReadOptions office() {
    ReadOptions options;
    options.office.odfi_identification = "09100001";
    options.office.company_ids = {"1123456789"};
    return options;
}

// A file of tests/data/nacha.
inline std::string sample(const std::string& name) {
    std::ifstream in(std::string(DRAWBRIDGE_TEST_DATA) + "/nacha/" + name, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    EXPECT_FALSE(bytes.empty()) << name;
    return bytes;
}

}  // namespace drawbridge::statements
