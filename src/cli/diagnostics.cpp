#include "diagnostics.hpp"

#include <algorithm>

#include "table.hpp"

namespace drawbridge::cli {

using nlohmann::json;

namespace {

json view(const text::Diagnostic& diagnostic) {
    return {{"file", diagnostic.file},
            {"line", diagnostic.line},
            {"column", diagnostic.column},
            {"severity", diagnostic.severity == text::Severity::error ? "error" : "warning"},
            {"message", diagnostic.message},
            {"hint", diagnostic.hint}};
}

}  // namespace

json view(const text::Diagnostics& diagnostics) {
    json list = json::array();
    for (const auto& diagnostic : diagnostics)
        list.push_back(view(diagnostic));
    return list;
}

bool has_errors(const text::Diagnostics& diagnostics) {
    return std::ranges::count(diagnostics, text::Severity::error, &text::Diagnostic::severity) > 0;
}

void print(const text::Diagnostics& diagnostics) {
    for (const auto& diagnostic : diagnostics)
        print_error(diagnostic.to_string());
}

}  // namespace drawbridge::cli
