// Reads bytes into a File in memory: FileReader for callers that want a value.
//
// It accepts only complete files: every record readable, every numeric field a number, records properly nested, and
// every control record equal to the sum of its entries. validate() checks what a bank requires beyond that.
#pragma once

#include <expected>
#include <string_view>
#include <vector>

#include "drawbridge/nacha/file_reader.hpp"
#include "drawbridge/nacha/problem.hpp"
#include "drawbridge/nacha/records.hpp"

namespace drawbridge::nacha {

// A file without a header gets a default File::header. On failure it returns every problem that makes the file
// unreadable, not only the first.
[[nodiscard]] std::expected<File, std::vector<Problem>> parse(std::string_view bytes, const ReadOptions& options = {});

}  // namespace drawbridge::nacha
