#include "drawbridge/nacha/problem.hpp"

#include <algorithm>
#include <utility>

namespace drawbridge::nacha {

namespace {
constexpr std::size_t max_kept = 1000;  // of warnings, and of errors
}

void ProblemList::add(Problem problem) {
    const bool is_warning = problem.severity == Severity::warning;
    if (problem.severity == Severity::unreadable) unreadable_ = true;
    if ((is_warning ? warnings_ : errors_)++ < max_kept) kept_.push_back(std::move(problem));
}

std::vector<Problem> ProblemList::take() && {
    std::ranges::stable_sort(kept_, [](const Problem& a, const Problem& b) {
        return std::pair(a.line, a.position) < std::pair(b.line, b.position);
    });
    return std::move(kept_);
}

}  // namespace drawbridge::nacha
