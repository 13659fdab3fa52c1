#include "drawbridge/nacha/parse.hpp"

#include <algorithm>

#include "reader.hpp"

namespace drawbridge::nacha {

std::expected<File, std::vector<Problem>> parse(std::string_view bytes, const ParseOptions& options) {
    Reading reading = read_file(bytes, Strictness::readable, options);
    if (reading.problems.empty()) return std::move(reading.file);
    std::ranges::stable_sort(reading.problems);
    return std::unexpected(std::move(reading.problems));
}

}  // namespace drawbridge::nacha
