// Which lines differ between two texts.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace drawbridge::text {

struct DiffLine {
    bool is_new = false;   // of the second text; otherwise of the first
    std::size_t line = 0;  // in its own text, from 1
    std::string_view text;
};

// In the order of the texts, the lines that went before those that came. They view into the two texts. Of very long
// changes every line counts as changed.
[[nodiscard]] std::vector<DiffLine> differing_lines(std::string_view before, std::string_view now);

}  // namespace drawbridge::text
