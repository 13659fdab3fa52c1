// The form of a bank's file about checks: lines of CSV or of fixed columns, with or without a header and a trailer.
//
// It says where each fact stands and how it is written; it knows nothing of what the facts mean.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace drawbridge::checks {

enum class FileFormat { csv, fixed };
enum class AmountFormat { decimal, cents };  // 1234.50 · 123450

enum class ColumnKind {
    // of one check
    code,
    account_number,
    check_number,
    issue_date,
    paid_date,
    amount,
    payee_name,
    payment_reference,
    // of the file, in its header or trailer
    file_date,
    count,  // of the lines between header and trailer
    total,  // of their amounts
    // of neither
    constant,
    blank,  // must be blank
    any,    // read over
};

struct Column {
    ColumnKind kind = ColumnKind::constant;
    std::string header;  // the column's name, written when the form has a header line
    // CSV: at most so many characters, 0: no limit. Fixed: exactly so many. Names are cut, a number that is too long is
    // an error.
    std::size_t width = 0;
    std::string constant;        // of ColumnKind::constant
    std::size_t first = 0;       // fixed: the position of its first character, from 1
    char pad = ' ';              // fixed: what fills it up
    bool justify_right = false;  // fixed
    friend bool operator==(const Column&, const Column&) = default;
};

struct FileForm {
    std::string name;  // of the file from which it was read
    FileFormat format = FileFormat::csv;
    std::size_t record_length = 0;  // fixed
    char delimiter = ',';           // csv
    bool header_line = false;       // csv: a first line with the columns' names
    bool crlf = false;
    std::string date_format = "MMDDYY";  // YYYY, YY, MM, DD; '-', '/', '.' and blank stand for themselves
    AmountFormat amount_format = AmountFormat::decimal;
    std::vector<Column> columns;         // of one check's line
    std::vector<Column> header_record;   // empty: the file has none
    std::vector<Column> trailer_record;  // empty: the file has none
    friend bool operator==(const FileForm&, const FileForm&) = default;
};

}  // namespace drawbridge::checks
