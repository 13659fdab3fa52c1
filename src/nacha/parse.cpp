#include "drawbridge/nacha/parse.hpp"

#include <utility>

#include "file_builder.hpp"

namespace drawbridge::nacha {

std::expected<File, std::vector<Problem>> parse(std::string_view bytes, const ReadOptions& options) {
    FileBuilder builder;
    FileReader reader(options, std::ref(builder));
    reader.feed(bytes);
    ReadSummary summary = reader.finish();
    if (summary.is_readable) return std::move(builder.file);
    std::erase_if(summary.problems, [](const Problem& problem) { return problem.severity != Severity::unreadable; });
    return std::unexpected(std::move(summary.problems));
}

}  // namespace drawbridge::nacha
