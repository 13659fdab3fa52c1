// One pass over the bytes of a NACHA file: records → values, with the line of each, and everything that is wrong.
// parse() and validate() are two views of it.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "drawbridge/nacha/parse.hpp"
#include "drawbridge/nacha/records.hpp"

namespace drawbridge::nacha {

enum class Strictness {
    readable,  // only what makes values unreadable or totals wrong
    valid,     // every rule of the single record too
};

struct BatchLines {
    std::size_t header = 0;
    std::vector<std::size_t> entries;
    std::vector<std::size_t> addenda;  // of all entries, one after the other
    std::size_t control = 0;           // 0: none
    std::string_view control_record;   // a view of the bytes; empty when there is none of 94 characters
    bool complete = true;              // every record was readable, so that controls can be compared
};

struct Reading {
    File file;
    std::vector<BatchLines> batches;  // parallel to file.batches
    std::size_t file_header = 0;      // lines; 0: none
    std::size_t file_control = 0;
    std::size_t records = 0;  // all of them, the padding too
    std::vector<Problem> problems;
};

// `options.file_records_required` false: a missing file header or control is no problem.
[[nodiscard]] Reading read_file(std::string_view bytes, Strictness strictness, const ParseOptions& options);

}  // namespace drawbridge::nacha
