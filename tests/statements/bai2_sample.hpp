// A small file in BAI2, and what is read of its lines.
#pragma once

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "statements/shown.hpp"

namespace drawbridge::statements {

// A file with these lines in its one account; the trailers contain the given values.
inline std::string file_of(const std::string& lines, long total, int records, const std::string& currency = "USD") {
    return "01,BANK,OFFICE,261124,0800,7,,,2/\n02,OFFICE,BANK,1,261123,,USD,2/\n03,12345," + currency + ",,,,/\n" +
           lines + "49," + std::to_string(total) + "," + std::to_string(records + 2) + "/\n98," +
           std::to_string(total) + ",1," + std::to_string(records + 4) + "/\n99," + std::to_string(total) + ",1," +
           std::to_string(records + 6) + "/\n";
}

inline std::string lines_of(const std::string& lines, long total, int records, const ReadOptions& options = {},
                            const std::string& currency = "USD") {
    const std::string text = shown(file_of(lines, total, records, currency), "b.bai", options);
    return text.starts_with("bai2 ") ? text.substr(text.find('\n') + 1) : text;
}

// Each line padded to `length`, then `end`.
inline std::string in_fixed_lines(const std::string& file, const std::string& end, std::size_t length = 80) {
    std::istringstream in(file);
    std::string fixed;
    for (std::string line; std::getline(in, line);) {
        EXPECT_LE(line.size(), length);
        line.resize(length, ' ');
        fixed += line + end;
    }
    return fixed;
}

}  // namespace drawbridge::statements
