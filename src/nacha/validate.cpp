#include "drawbridge/nacha/validate.hpp"

#include <algorithm>

#include "file_builder.hpp"

namespace drawbridge::nacha {

std::optional<Problem> Validation::first_error() const {
    const auto found = std::ranges::find_if(
        summary.problems, [](const Problem& problem) { return problem.severity != Severity::warning; });
    return found == summary.problems.end() ? std::nullopt : std::optional(*found);
}

Validation validate(std::string_view bytes) {
    FileBuilder builder;
    FileReader reader({.file_records_required = false}, std::ref(builder));
    reader.feed(bytes);
    ReadSummary summary = reader.finish();
    return {std::move(builder.file), std::move(summary)};
}

}  // namespace drawbridge::nacha
