// reconcile: requests the report in slices, adds them up and writes the report in the requested format.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "call_api.hpp"
#include "commands.hpp"
#include "drawbridge/api/report_slice.hpp"
#include "drawbridge/app/programs.hpp"
#include "drawbridge/reconciliation/oldest_lines.hpp"
#include "drawbridge/text/show.hpp"
#include "report_file.hpp"
#include "table.hpp"

namespace drawbridge::cli {
namespace {

using nlohmann::json;
using reconciliation::Report;

constexpr std::size_t html_lines = 500;
constexpr std::size_t text_lines = 25;
constexpr std::size_t draws_a_refresh = 500;

template <class T>
using OrCode = std::expected<T, int>;  // error: the exit code; the message is printed

std::unexpected<int> failed(const Error& error) {
    print_error("drawbridge: " + error.message);
    return std::unexpected(app::exit_failed);
}

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

class Run {
  public:
    explicit Run(const Options& options) : options_(options), caller_(std::in_place, options.config) {}

    // Requests every slice in order and passes it to `on_slice`.
    template <class OnSlice>
    OrCode<reconciliation::Counted> slices(const OnSlice& on_slice) {
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
            if (auto taken = on_slice(std::move(*slice)); !taken) return failed(taken.error());
            if (counted) return *counted;
        }
    }

    // Makes the daemon read the draws in question again. Returns how many, and the result.
    OrCode<reconciliation::ServiceReading> refresh() {
        std::set<DrawId> in_question;
        const auto collected =
            slices([&](const api::ReportSlice& slice) { return api::add_draws_in_question(slice, in_question); });
        if (!collected) return std::unexpected(collected.error());
        reconciliation::ServiceReading reading;
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

    OrCode<Report> write_to(ReportFile& file, const std::string& format,
                            const std::optional<reconciliation::ServiceReading>& fresh) {
        const bool is_csv = format == "csv", is_json = format == "json";
        Report report;
        reconciliation::OldestLines oldest(html_lines);
        bool is_begun = false, is_first = true;
        const auto counted = slices([&](api::ReportSlice slice) -> Result<void> {
            report.head = slice.head;
            if (fresh) add_fresh(report.head.service, *fresh);
            report.totals += slice.totals;
            std::ranges::move(slice.files, std::back_inserter(report.files));
            std::string rows;
            if (!std::exchange(is_begun, true)) {
                if (is_csv) rows = reconciliation::csv_header();
                if (is_json) rows = reconciliation::json_begin(report.head);
            }
            for (auto& line : slice.lines) {
                if (is_csv) {
                    rows += reconciliation::csv_row(line);
                } else if (is_json) {
                    rows += reconciliation::json_row(line, std::exchange(is_first, false));
                } else {
                    oldest.add(std::move(line));
                }
            }
            return file.write(rows);
        });
        if (!counted) return std::unexpected(counted.error());
        caller_.reset();  // releases the ledger: the reader of the report may be slow
        report.controls = reconciliation::controls(report.totals, *counted);
        report.lines = oldest.take();
        std::string rest;
        if (is_json) rest = reconciliation::json_end(report);
        if (format == "text") rest = reconciliation::to_text(report, text_lines);
        if (format == "html") rest = reconciliation::to_html(report, html_lines);
        if (auto written = file.write(rest); !written) return failed(written.error());
        if (auto finished = file.finish(); !finished) return failed(finished.error());
        return report;
    }

  private:
    static void add_fresh(reconciliation::ServiceReading& to, const reconciliation::ServiceReading& fresh) {
        to.fresh_at = fresh.fresh_at;
        to.fresh_asked = fresh.fresh_asked;
        to.fresh_changed = fresh.fresh_changed;
        to.fresh_failed = fresh.fresh_failed;
    }

    const Options& options_;
    std::optional<app::Caller> caller_;
};

}  // namespace

int reconcile_command(const Options& options) {
    for (const auto& [option, day] : {std::pair("--from", options.from), std::pair("--to", options.to)}) {
        if (day.empty() || parse_date(day)) continue;
        print_error("drawbridge: " + std::string(option) + " '" + day + "' is not a date: write it like 2026-11-30");
        return app::exit_usage;
    }
    const std::string format = options.json ? "json" : options.format;
    auto file = ReportFile::open(options.output, options.overwrite);
    if (!file) return failed(file.error()).error();
    Run run(options);
    std::optional<reconciliation::ServiceReading> fresh;
    if (options.fresh) {
        const auto read = run.refresh();
        if (!read) return read.error();
        fresh = *read;
    }
    const auto report = run.write_to(**file, format, fresh);
    if (!report) return report.error();
    if (!options.output.empty()) print_line(options.output + ": " + reconciliation::verdict(*report));
    if (!report->adds_up())
        print_error("drawbridge: the report's control totals do not add up: do not rely on the report");
    const bool is_good = report->adds_up() && report->differences() == 0 && (!fresh || fresh->fresh_failed == 0);
    return is_good ? app::exit_ok : app::exit_failed;
}

}  // namespace drawbridge::cli
