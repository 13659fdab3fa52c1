// reconcile: the report of one program, or of several and their sum, in the requested format.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "commands.hpp"
#include "drawbridge/reconciliation/programs.hpp"
#include "drawbridge/text/csv.hpp"
#include "drawbridge/text/sanitize.hpp"
#include "output.hpp"
#include "reconcile_run.hpp"
#include "report_file.hpp"
#include "several_programs.hpp"

namespace drawbridge::cli {
namespace {

using reconciliation::ProgramReport;
using reconciliation::Report;

constexpr std::size_t html_lines = 500;
constexpr std::size_t text_lines = 25;

struct Checked {
    ReportMade made;
    bool is_read_again = true;  // with --fresh: every draw in question
};

// The report of one program. Its rows go into the file.
OrCode<Checked> report_of(const std::string& config, const Options& options, const RowsOfReport& rows) {
    ReconcileRun run(config, options);
    std::optional<reconciliation::ServiceReading> fresh;
    if (options.fresh) {
        const auto read = run.refresh();
        if (!read) return std::unexpected(read.error());
        fresh = *read;
    }
    auto made = run.make(rows, fresh);
    if (!made) return std::unexpected(made.error());
    return Checked{*std::move(made), !fresh || fresh->fresh_failed == 0};
}

int finish(ReportFile& file, const Options& options, const Report& report, std::string_view rest, bool is_read_again) {
    if (auto written = file.write(rest); !written) return report_write_failure(written.error());
    if (auto finished = file.finish(); !finished) return report_write_failure(finished.error());
    if (!options.output.empty()) print_line(options.output + ": " + reconciliation::verdict(report));
    if (!report.adds_up())
        print_error("drawbridge: the report's control totals do not add up: do not rely on the report");
    const bool is_good = report.adds_up() && report.differences() == 0 && is_read_again;
    return is_good ? app::exit_ok : app::exit_failed;
}

int reconcile_one(const Options& options, const std::string& format, ReportFile& file) {
    const auto write = [&](std::string_view bytes) { return file.write(bytes); };
    const auto checked = report_of(options.config, options, {.format = format, .write = write});
    if (!checked) return checked.error();
    const auto& report = checked->made.report;
    std::string rest;
    if (format == "text") rest = reconciliation::to_text(report, text_lines);
    if (format == "html") rest = reconciliation::to_html(report, html_lines);
    return finish(file, options, report, rest, checked->is_read_again);
}

// The name as a cell of a row that goes on.
std::string first_cell(const std::string& name) {
    auto row = text::write_csv_row({text::for_csv(name)});
    while (row.ends_with('\n') || row.ends_with('\r'))
        row.pop_back();
    return row + ",";
}

int reconcile_several(const Options& options, const std::string& format, ReportFile& file) {
    const bool is_json = format == "json";
    const auto write = [&](std::string_view bytes) { return file.write(bytes); };
    const auto names = names_of_programs(options.configs);
    std::vector<ProgramReport> programs;
    bool is_read_again = true;
    for (std::size_t at = 0; at < names.size(); ++at) {
        if (is_json) {
            const auto begin = (at == 0 ? "{\"programs\":[\n{\"program\":" : ",\n{\"program\":") +
                               nlohmann::json(names[at]).dump() + ",\"report\":";
            if (auto written = write(begin); !written) return report_write_failure(written.error());
        }
        auto checked =
            report_of(options.configs[at], options,
                      {.format = format, .csv_cell = first_cell(names[at]), .has_csv_header = at == 0, .write = write});
        if (!checked) return checked.error();
        if (is_json) {
            if (auto written = write("}"); !written) return report_write_failure(written.error());
        }
        is_read_again = is_read_again && checked->is_read_again;
        programs.push_back({names[at], std::move(checked->made.report), checked->made.counted});
    }
    if (auto addable = reconciliation::check_addable(programs); !addable) return failed(addable.error()).error();
    std::string rest;
    if (is_json) rest = "],\n" + reconciliation::json_sum(programs) + "}\n";
    if (format == "text") rest = reconciliation::to_text(programs, text_lines);
    return finish(file, options, reconciliation::sum_of(programs), rest, is_read_again);
}

// Why the options do not fit; empty: they do.
std::string fault_in(const Options& options, const std::string& format) {
    for (const auto& [option, day] : {std::pair("--from", options.from), std::pair("--to", options.to)}) {
        if (!day.empty() && !parse_date(day))
            return std::string(option) + " '" + day + "' is not a date: write it like 2026-11-30";
    }
    if (options.configs.size() == 1) return {};
    if (options.from.empty() || options.to.empty())
        return "several programs are added up over the same days: name them with --from and --to";
    if (format == "html") return "--format html is about one program: name one --config, or choose text, csv or json";
    return {};
}

}  // namespace

int reconcile_command(const Options& options) {
    const std::string format = options.json ? "json" : options.format;
    if (const auto fault = fault_in(options, format); !fault.empty()) {
        print_error("drawbridge: " + fault);
        return app::exit_usage;
    }
    auto file = ReportFile::open(options.output, options.overwrite);
    if (!file) return report_write_failure(file.error());
    return options.configs.size() == 1 ? reconcile_one(options, format, **file)
                                       : reconcile_several(options, format, **file);
}

}  // namespace drawbridge::cli
