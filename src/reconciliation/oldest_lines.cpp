#include "drawbridge/reconciliation/oldest_lines.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace drawbridge::reconciliation {

void OldestLines::add(Line line) {
    auto& kept = kept_[static_cast<std::size_t>(line.line_class)];
    kept.push_back(std::move(line));
    if (kept.size() >= 2 * most_) cut(kept);
}

std::vector<Line> OldestLines::take() {
    std::vector<Line> all;
    for (auto& kept : kept_) {
        cut(kept);
        std::ranges::move(kept, std::back_inserter(all));
    }
    return all;
}

void OldestLines::cut(std::vector<Line>& lines) const {
    std::ranges::stable_sort(lines, {}, &Line::since);
    if (lines.size() > most_) lines.resize(most_);
}

}  // namespace drawbridge::reconciliation
