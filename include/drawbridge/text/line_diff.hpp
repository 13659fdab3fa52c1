// Which lines differ between two texts.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace drawbridge::text {

struct DiffLine {
    bool is_new = false;   // from the second text; otherwise from the first
    std::size_t line = 0;  // in its own text, from 1
    std::string_view text;
};

// Changed lines in the order of the texts; at each change, removed lines come before added ones. The lines view into
// the two texts. In a very long change, every line counts as changed.
[[nodiscard]] std::vector<DiffLine> differing_lines(std::string_view before, std::string_view now);

}  // namespace drawbridge::text
