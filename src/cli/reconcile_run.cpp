#include "reconcile_run.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "call_api.hpp"
#include "drawbridge/reconciliation/oldest_lines.hpp"
#include "drawbridge/text/show.hpp"
#include "output.hpp"
#include "report_file.hpp"

namespace drawbridge::cli {
namespace {

using nlohmann::json;
using reconciliation::ServiceReading;

constexpr std::size_t oldest_lines = 500;
constexpr std::size_t draws_a_refresh = 500;

// Prints progress once a second, on a terminal only.
class Progress {
  public:
    void show(std::int64_t count, std::string_view what) {
        const auto now = std::chrono::steady_clock::now();
        if (::isatty(STDERR_FILENO) != 1 || now < next_) return;
        next_ = now + std::chrono::seconds(1);
        print_error(text::grouped(count) + " " + std::string(what) + " so far");
    }

  private:
    std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + std::chrono::seconds(1);
};

void add_fresh(ServiceReading& to, const ServiceReading& fresh) {
    to.fresh_at = fresh.fresh_at;
    to.fresh_asked = fresh.fresh_asked;
    to.fresh_changed = fresh.fresh_changed;
    to.fresh_failed = fresh.fresh_failed;
}

}  // namespace

std::unexpected<int> failed(const Error& error) {
    print_error("drawbridge: " + error.message);
    return std::unexpected(app::exit_failed);
}

ReconcileRun::ReconcileRun(std::string config, const Options& options)
    : options_(options), caller_(std::in_place, std::move(config)) {}

OrCode<reconciliation::Counted> ReconcileRun::slices(
    const std::function<Result<void>(api::ReportSlice slice)>& on_slice) {
    std::string target = "/reconcile?overdue_after=" + std::to_string(options_.overdue_after);
    if (!options_.from.empty()) target += "&from=" + percent_encoded(options_.from);
    if (!options_.to.empty()) target += "&to=" + percent_encoded(options_.to);
    std::string next;
    Progress progress;
    std::int64_t draws = 0;
    while (true) {
        const auto answer = call_api(*caller_, "GET", target + next);
        if (!answer) return std::unexpected(answer.error());
        auto slice = api::slice_from_json(*answer);
        if (!slice) return failed(slice.error());
        const auto& period = slice->head.period;
        target = "/reconcile?overdue_after=" + std::to_string(options_.overdue_after) +
                 "&from=" + format_date(period.from) + "&to=" + format_date(period.to) +
                 "&as_of=" + percent_encoded(format_instant(period.as_of));
        next = "&after=" + percent_encoded(slice->next.value_or(""));
        draws += slice->totals.control_counts.draws;
        progress.show(draws, "draws");
        auto counted = slice->counted;
        if (auto taken = on_slice(std::move(*slice)); !taken)
            return std::unexpected(report_write_failure(taken.error()));
        if (counted) return *counted;
    }
}

OrCode<ServiceReading> ReconcileRun::refresh() {
    std::set<DrawId> in_question;
    const auto collected =
        slices([&](const api::ReportSlice& slice) { return api::add_draws_in_question(slice, in_question); });
    if (!collected) return std::unexpected(collected.error());
    ServiceReading reading;
    Progress progress;
    const std::vector<DrawId> ids(in_question.begin(), in_question.end());
    for (std::size_t at = 0; at < ids.size(); at += draws_a_refresh) {
        json some = json::array();
        for (std::size_t i = at; i < std::min(ids.size(), at + draws_a_refresh); ++i)
            some.push_back(ids[i]);
        const auto answer = call_api(*caller_, "POST", "/draws/refresh", {{"ids", std::move(some)}});
        if (!answer) return std::unexpected(answer.error());
        reading.fresh_asked += (*answer)["asked"].get<std::int64_t>();
        reading.fresh_changed += (*answer)["changed"].get<std::int64_t>();
        reading.fresh_failed += (*answer)["failed"].get<std::int64_t>();
        reading.fresh_at = parse_instant((*answer)["at"].get<std::string>()).value();
        const auto problem = (*answer)["problem"].get<std::string>();
        if (!problem.empty()) print_error("drawbridge: " + problem);
        progress.show(reading.fresh_asked, "draws read again");
    }
    return reading;
}

OrCode<ReportMade> ReconcileRun::make(const RowsOfReport& rows, const std::optional<ServiceReading>& fresh) {
    const bool is_csv = rows.format == "csv", is_json = rows.format == "json";
    reconciliation::Report report;
    reconciliation::OldestLines oldest(oldest_lines);
    bool is_begun = false, is_first = true;
    const auto counted = slices([&](api::ReportSlice slice) -> Result<void> {
        // Which moment the report is of was decided with its first slice, by the server that was asked for it.
        auto read_from = is_begun ? std::move(report.head.read_from) : std::move(slice.head.read_from);
        report.head = std::move(slice.head);
        report.head.read_from = std::move(read_from);
        if (fresh) add_fresh(report.head.service, *fresh);
        report.totals += slice.totals;
        std::ranges::move(slice.files, std::back_inserter(report.files));
        std::string bytes;
        if (!std::exchange(is_begun, true)) {
            if (is_csv && rows.has_csv_header)
                bytes = (rows.csv_cell.empty() ? "" : "program,") + reconciliation::csv_header();
            if (is_json) bytes = reconciliation::json_begin(report.head);
        }
        for (auto& line : slice.lines) {
            if (is_csv) {
                bytes += rows.csv_cell + reconciliation::csv_row(line);
            } else if (is_json) {
                bytes += reconciliation::json_row(line, std::exchange(is_first, false));
            } else {
                oldest.add(std::move(line));
            }
        }
        return rows.write(bytes);
    });
    if (!counted) return std::unexpected(counted.error());
    caller_.reset();  // releases the ledger: the reader of the report may be slow
    report.controls = reconciliation::controls(report.totals, *counted);
    report.lines = oldest.take();
    if (is_json) {
        if (auto written = rows.write(reconciliation::json_end(report)); !written)
            return std::unexpected(report_write_failure(written.error()));
    }
    return ReportMade{std::move(report), *counted};
}

}  // namespace drawbridge::cli
