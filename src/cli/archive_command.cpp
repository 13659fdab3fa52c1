// `drawbridge archive list` and `archive show`: the bank's files and the payment files that were done with.
#include <unistd.h>

#include "call_api.hpp"
#include "drawbridge/text/show.hpp"
#include "listing.hpp"
#include "parser.hpp"
#include "report_file.hpp"
#include "show.hpp"
#include "table.hpp"

namespace drawbridge::cli {
namespace {

void show_archived_files(const json& answer) {
    Table table({{"STATE", Align::left}, {"BYTES", Align::right}, {"SHA-256", Align::left}, {"FILE", Align::left}});
    for (const auto& file : answer["files"]) {
        table.add({plain(file["state"]), text::grouped(file["bytes"].get<std::int64_t>()),
                   file["sha256"].is_null() ? "-" : plain(file["sha256"]).substr(0, 12), plain(file["path"])});
    }
    if (table.empty()) return print_line("the archive is empty");
    table.print();
}

int report(const Error& error) {
    print_error("drawbridge: " + error.message);
    return daemon::exit_failed;
}

}  // namespace

void add_archive(Parser& parser) {
    CLI::App& archive = *parser.app.add_subcommand("archive", "the bank's files and payment files that were done with");
    archive.require_subcommand(1);
    archive.fallthrough();
    auto& list =
        parser.add(archive, "list", "every file, plain, sealed or deleted", "archive list", archive_list_command);
    parser.limit(list);
    parser.json(list);
    auto& show = parser.add(archive, "show", "the bytes of a file as it came; who asked for them is recorded",
                            "archive show bank-statement.csv --output statement.csv --reason \"claim of May 4\"",
                            archive_show_command);
    show.add_option("NAME", parser.options.name,
                    "its name, its path, or at least 8 digits of its SHA-256, as `archive list` shows them")
        ->required();
    auto* output = show.add_option("--output", parser.options.output,
                                   "write it there, mode 0640, whole or not at all; a terminal never gets it");
    show.add_flag("--overwrite", parser.options.overwrite, "replace a file that is there")->needs(output);
    parser.reason(show);
}

int archive_list_command(const Options& options) {
    return print_listing(options, {.path = "/archive", .rows = "files", .show = show_archived_files});
}

int archive_show_command(const Options& options) {
    if (options.output.empty() && ::isatty(STDOUT_FILENO) == 1) {
        print_error(
            "drawbridge: archive show: the file names payees with their account numbers, and a terminal keeps what "
            "it showed: name a file with --output, or send it on with a pipe");
        return daemon::exit_usage;
    }
    const auto file = ReportFile::open(options.output, options.overwrite);
    if (!file) return report(file.error());
    daemon::Caller caller(options.config);
    for (std::size_t offset = 0, size = admin::archive_piece_bytes; size == admin::archive_piece_bytes;
         offset += size) {
        const auto piece = ask_for_bytes(caller, "/archive/show",
                                         {{"name", options.name}, {"reason", options.reason}, {"offset", offset}});
        if (!piece) return piece.error();
        size = piece->size();
        if (const auto written = (*file)->write(*piece); !written) return report(written.error());
    }
    if (const auto finished = (*file)->finish(); !finished) return report(finished.error());
    return daemon::exit_ok;
}

}  // namespace drawbridge::cli
