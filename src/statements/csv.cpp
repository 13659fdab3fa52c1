#include "drawbridge/statements/csv.hpp"

#include <utility>

#include "line_sink.hpp"
#include "profile_values.hpp"

namespace drawbridge::statements {

std::expected<std::vector<Confirmation>, text::Diagnostics> read_confirmation_csv(std::string_view bytes,
                                                                                  std::string_view file_name) {
    text::DiagnosticReport report(file_name);
    std::vector<Confirmation> confirmations;
    const ConfirmationSink keep = [&](Confirmation line) { confirmations.push_back(std::move(line)); };
    const ReadOptions options;
    StatementFacts facts;
    LineSink sink(options, keep, report, facts);
    const auto reader = read_profiled_csv(bytes, file_name, plain_confirmation(), sink);
    while (reader->advance()) {
    }
    if (!report.empty()) return std::unexpected(std::move(report).take());
    return confirmations;
}

}  // namespace drawbridge::statements
