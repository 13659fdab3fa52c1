#include "drawbridge/text/line_diff.hpp"

#include <algorithm>
#include <cstdint>

namespace drawbridge::text {
namespace {

using Lines = std::vector<std::string_view>;

// With more pairs of lines than this, the longest common subsequence is not computed.
constexpr std::size_t max_pairs = 4'000'000;

Lines lines_of(std::string_view text) {
    Lines lines;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

// For each pair of positions, how many lines can still be matched from there.
class Matches {
  public:
    Matches(const Lines& old, const Lines& fresh, std::size_t from, std::size_t old_end, std::size_t fresh_end)
        : from_(from), width_(fresh_end - from + 1) {
        if ((old_end - from) * (fresh_end - from) > max_pairs) return;
        lengths_.assign((old_end - from + 1) * width_, 0);
        for (std::size_t a = old_end; a-- > from;) {
            for (std::size_t b = fresh_end; b-- > from;) {
                at(a, b) = old[a] == fresh[b] ? at(a + 1, b + 1) + 1 : std::max(at(a + 1, b), at(a, b + 1));
            }
        }
    }
    [[nodiscard]] bool are_known() const { return !lengths_.empty(); }
    [[nodiscard]] std::uint32_t& at(std::size_t a, std::size_t b) { return lengths_[(a - from_) * width_ + b - from_]; }

  private:
    std::size_t from_, width_;
    std::vector<std::uint32_t> lengths_;
};

}  // namespace

std::vector<DiffLine> differing_lines(std::string_view before, std::string_view now) {
    const Lines old = lines_of(before), fresh = lines_of(now);
    const std::size_t shorter = std::min(old.size(), fresh.size());
    std::size_t from = 0, tail = 0;
    while (from < shorter && old[from] == fresh[from])
        ++from;
    while (tail < shorter - from && old[old.size() - 1 - tail] == fresh[fresh.size() - 1 - tail])
        ++tail;
    const std::size_t old_end = old.size() - tail, fresh_end = fresh.size() - tail;
    Matches matches(old, fresh, from, old_end, fresh_end);
    std::vector<DiffLine> lines;
    std::size_t a = from, b = from;
    while (a < old_end || b < fresh_end) {
        const bool both = a < old_end && b < fresh_end;
        if (both && matches.are_known() && old[a] == fresh[b]) {
            ++a, ++b;
        } else if (b == fresh_end || (both && (!matches.are_known() || matches.at(a + 1, b) >= matches.at(a, b + 1)))) {
            lines.push_back({/*is_new=*/false, a + 1, old[a]});
            ++a;
        } else {
            lines.push_back({/*is_new=*/true, b + 1, fresh[b]});
            ++b;
        }
    }
    return lines;
}

}  // namespace drawbridge::text
