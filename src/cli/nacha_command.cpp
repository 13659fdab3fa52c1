// `drawbridge nacha` reads any NACHA file. It needs neither configuration nor ledger, and constant memory.
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <vector>

#include "call_api.hpp"
#include "commands.hpp"
#include "drawbridge/app/programs.hpp"
#include "drawbridge/nacha/describe.hpp"
#include "nacha_json.hpp"
#include "show.hpp"
#include "table.hpp"

namespace drawbridge::cli {
namespace {

constexpr nacha::ReadOptions any_file{.file_records_required = false, .may_be_stacked = true};

// False: the file cannot be read; errno has the reason.
bool read_file(const std::string& name, nacha::FileReader& reader) {
    std::ifstream in(name, std::ios::binary);
    if (!in) return false;
    std::vector<char> piece(1 << 18);
    while (in.read(piece.data(), static_cast<std::streamsize>(piece.size())) || in.gcount() > 0)
        reader.feed({piece.data(), static_cast<std::size_t>(in.gcount())});
    return !in.bad();
}

// ":line:position"; for a whole record ":line"; for the whole file empty.
std::string place_text(const nacha::Problem& problem) {
    if (problem.line == 0) return {};
    return ":" + std::to_string(problem.line) +
           (problem.position == 0 ? std::string() : ":" + std::to_string(problem.position));
}

// "trace number (80-94): must be …"
std::string message_text(const nacha::Problem& problem) {
    if (problem.field.empty() || problem.length < 2 || !problem.message.starts_with(problem.field))
        return problem.message;
    const std::string range =
        " (" + std::to_string(problem.position) + "-" + std::to_string(problem.position + problem.length - 1) + ")";
    return problem.field + range + problem.message.substr(problem.field.size());
}

void print_problems(const std::string& name, const nacha::ReadSummary& summary) {
    for (const auto& problem : summary.problems) {
        const bool is_warning = problem.severity == nacha::Severity::warning;
        print_error(name + place_text(problem) + ": " + (is_warning ? "warning: " : "") + message_text(problem));
    }
    if (summary.left_out != 0) print_error(name + ": and " + counted(summary.left_out, "problem") + " more");
}

int unreadable(const std::string& name) {
    print_error(name + ": cannot be read: " + std::strerror(errno) + ": name a file that this user can read");
    return app::exit_failed;
}

std::int64_t entries_shown(const Options& options) {
    return options.all ? std::numeric_limits<std::int64_t>::max() : options.entries;
}

int as_json(const Options& options) {
    NachaJson printer(entries_shown(options));
    nacha::FileReader reader(any_file, [&](const nacha::Record& record) { printer.add(record); });
    if (!read_file(options.name, reader)) return unreadable(options.name);
    const auto summary = reader.finish();
    printer.finish(summary);
    return summary.is_valid() ? app::exit_ok : app::exit_failed;
}

int as_text(const Options& options) {
    nacha::Describer describer([](std::string_view line) { print_broken(line, 8); }, entries_shown(options));
    nacha::FileReader reader(any_file, [&](const nacha::Record& record) { describer.add(record); });
    if (!read_file(options.name, reader)) return unreadable(options.name);
    const auto summary = reader.finish();
    describer.finish(summary);
    print_problems(options.name, summary);
    std::string verdict = summary.is_valid() ? ": valid" : ": not valid: " + counted(summary.errors, "error");
    if (summary.warnings != 0) verdict += ", " + counted(summary.warnings, "warning");
    print_line(options.name + verdict);
    return summary.is_valid() ? app::exit_ok : app::exit_failed;
}

}  // namespace

int nacha_command(const Options& options) {
    return options.json ? as_json(options) : as_text(options);
}

}  // namespace drawbridge::cli
