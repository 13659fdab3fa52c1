#include "drawbridge/text/diagnostic.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/text/sanitize.hpp"

namespace drawbridge::text {
namespace {

// Insertions, deletions, replacements and swaps of neighbors (optimal string alignment), ignoring case.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before_previous(b.size() + 1);
    std::vector<std::size_t> previous(b.size() + 1);
    std::vector<std::size_t> current(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        previous[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        current[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = to_lower(a[i - 1]) == to_lower(b[j - 1]);
            current[j] = std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (same ? 0U : 1U)});
            const bool swapped =
                i > 1 && j > 1 && to_lower(a[i - 1]) == to_lower(b[j - 2]) && to_lower(a[i - 2]) == to_lower(b[j - 1]);
            if (swapped) current[j] = std::min(current[j], before_previous[j - 2] + 1);
        }
        std::swap(before_previous, previous);
        std::swap(previous, current);
    }
    return previous[b.size()];
}

}  // namespace

std::string Diagnostic::to_string() const {
    std::string text = file;
    if (line > 0) text += ":" + std::to_string(line);
    if (line > 0 && column > 0) text += ":" + std::to_string(column);
    text += severity == Severity::warning ? ": warning: " : ": ";
    text += message;
    if (!hint.empty()) text += ": " + hint;
    return for_terminal(text);
}

std::string to_string(const Diagnostics& diagnostics) {
    std::vector<const Diagnostic*> ordered;
    ordered.reserve(diagnostics.size());
    for (const Diagnostic& diagnostic : diagnostics)
        ordered.push_back(&diagnostic);
    std::ranges::stable_sort(ordered, {}, [](const Diagnostic* d) { return std::tie(d->file, d->line, d->column); });
    std::string text;
    for (const Diagnostic* diagnostic : ordered)
        text += diagnostic->to_string() + "\n";
    return text;
}

void DiagnosticReport::add(int line, int column, std::string message, std::string hint) {
    constexpr std::size_t max_kept = 1000;
    if (kept_.size() >= max_kept) {
        ++left_out_;
        return;
    }
    kept_.push_back(
        {.file = file_, .line = line, .column = column, .message = std::move(message), .hint = std::move(hint)});
}

Diagnostics DiagnosticReport::take() && {
    std::ranges::stable_sort(kept_, {}, [](const Diagnostic& d) { return std::tie(d.line, d.column); });
    if (left_out_ > 0)
        kept_.push_back({.file = file_, .message = "and " + std::to_string(left_out_) + " more", .hint = {}});
    return std::move(kept_);
}

std::string_view closest_match(std::string_view word, const std::vector<std::string_view>& candidates) {
    constexpr std::size_t max_word = 64;  // a longer one is not a typo
    if (word.empty() || word.size() > max_word) return {};
    const std::size_t limit = std::max<std::size_t>(1, word.size() / 3);
    std::string_view best;
    std::size_t best_distance = std::numeric_limits<std::size_t>::max();
    for (const std::string_view candidate : candidates) {
        const std::size_t distance = edit_distance(word, candidate);
        // With as many edits as letters, anything would match anything.
        if (distance > limit || distance >= candidate.size() || distance >= best_distance) continue;
        // 'and' is no typo of 'any', nor 'notContains' of 'contains'.
        constexpr std::size_t short_word = 3;
        const bool is_other_word = word.size() <= short_word && word.size() == candidate.size();
        if (is_other_word || lowercase(word.substr(0, 1)) != lowercase(candidate.substr(0, 1))) continue;
        best = candidate;
        best_distance = distance;
    }
    return best;
}

}  // namespace drawbridge::text
