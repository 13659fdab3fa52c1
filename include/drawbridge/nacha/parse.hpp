// Bytes → File, whole in memory: FileReader for callers that want a value.
//
// It accepts a file only whole: every record readable, every number a number, nesting right, and every control record
// equal to what its entries add up to. What a bank additionally demands is validate()'s.
#pragma once

#include <expected>
#include <string_view>
#include <vector>

#include "drawbridge/nacha/file_reader.hpp"
#include "drawbridge/nacha/problem.hpp"
#include "drawbridge/nacha/records.hpp"

namespace drawbridge::nacha {

// File::header of a file without one is a default one. Every problem that makes it unreadable, not merely the first.
[[nodiscard]] std::expected<File, std::vector<Problem>> parse(std::string_view bytes, const ReadOptions& options = {});

}  // namespace drawbridge::nacha
