// One reconciliation report of one program: asked for in slices, and added up. Private to this module.
#pragma once

#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "commands.hpp"
#include "drawbridge/api/report_slice.hpp"
#include "drawbridge/app/programs.hpp"

namespace drawbridge::cli {

template <class T>
using OrCode = std::expected<T, int>;  // error: the exit code; the message is printed

[[nodiscard]] std::unexpected<int> failed(const Error& error);

// The rows of a report as they come; text and HTML have none.
struct RowsOfReport {
    std::string format;         // "text", "csv", "json", "html"
    std::string csv_cell = {};  // before each row: the program's name with its comma
    bool has_csv_header = true;
    std::function<Result<void>(std::string_view bytes)> write;
};

struct ReportMade {
    reconciliation::Report report;  // with its oldest lines, unless they were written
    reconciliation::Counted counted;
};

class ReconcileRun {
  public:
    ReconcileRun(std::string config, const Options& options);

    // Makes the daemon read the draws in question again. Returns how many, and the result.
    [[nodiscard]] OrCode<reconciliation::ServiceReading> refresh();
    // Once. JSON: the whole document, with its end.
    [[nodiscard]] OrCode<ReportMade> make(const RowsOfReport& rows,
                                          const std::optional<reconciliation::ServiceReading>& fresh);

  private:
    // Requests every slice in order and passes it to `on_slice`.
    [[nodiscard]] OrCode<reconciliation::Counted> slices(
        const std::function<Result<void>(api::ReportSlice slice)>& on_slice);

    const Options& options_;
    std::optional<app::Caller> caller_;
};

}  // namespace drawbridge::cli
