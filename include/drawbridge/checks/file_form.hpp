// The form of a bank's check file: lines of CSV or fixed columns, with or without a header and a trailer.
//
// It defines where each fact is and how it is written, not what the facts mean.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace drawbridge::checks {

enum class FileFormat { csv, fixed };
enum class AmountFormat { decimal, cents };  // 1234.50 · 123450

enum class ColumnKind {
    // in the line of one check
    code,
    account_number,
    check_number,
    issue_date,
    paid_date,
    amount,
    payee_name,
    payment_reference,
    // of the whole file, in its header or trailer
    file_date,
    count,  // number of lines between header and trailer
    total,  // sum of their amounts
    // independent of both
    constant,
    blank,  // must be blank
    any,    // ignored
};

struct Column {
    ColumnKind kind = ColumnKind::constant;
    std::string header;  // the column's name; used when the form has a header line
    // CSV: the maximum number of characters; 0: no limit. Fixed: the exact number. Names are truncated; a number that
    // is too long is an error.
    std::size_t width = 0;
    std::string constant;        // for ColumnKind::constant
    std::size_t first = 0;       // fixed: the position of its first character, from 1
    char pad = ' ';              // fixed: the fill character
    bool justify_right = false;  // fixed
    friend bool operator==(const Column&, const Column&) = default;
};

struct FileForm {
    std::string name;  // name of the file from which it was read
    FileFormat format = FileFormat::csv;
    std::size_t record_length = 0;  // fixed
    char delimiter = ',';           // csv
    bool header_line = false;       // csv: the first line contains the column names
    bool crlf = false;
    std::string date_format = "MMDDYY";  // YYYY, YY, MM, DD; '-', '/', '.' and space are literal
    AmountFormat amount_format = AmountFormat::decimal;
    std::vector<Column> columns;         // columns of one check's line
    std::vector<Column> header_record;   // empty: the file has none
    std::vector<Column> trailer_record;  // empty: the file has none
    friend bool operator==(const FileForm&, const FileForm&) = default;
};

}  // namespace drawbridge::checks
