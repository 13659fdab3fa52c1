// `drawbridge archive list` and `archive show`: archived bank files and payment files.
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
    for (const auto& file : records_in<records::ArchivedFile>(answer["files"])) {
        table.add({plain(file.state), text::grouped(file.bytes), short_hash(file.sha256), plain(file.path)});
    }
    if (table.empty()) return print_line("the archive is empty");
    table.print();
}

}  // namespace

void add_archive(Parser& parser) {
    CLI::App& archive = *parser.app.add_subcommand("archive", "list and read archived bank files and payment files");
    archive.require_subcommand(1);
    archive.fallthrough();
    auto& list = parser.add(archive, "list", "list every archived file: plain, sealed or deleted", "archive list",
                            archive_list_command);
    parser.json(list);
    parser.limit(list);
    auto& show = parser.add(archive, "show", "print the original bytes of a file; your identity is recorded",
                            "archive show bank-statement.csv --output statement.csv --reason \"claim of May 4\"",
                            archive_show_command);
    show.add_option("NAME", parser.options.name,
                    "the name, the path, or at least 8 digits of the SHA-256, as in `archive list`")
        ->required();
    auto* output = show.add_option("--output", parser.options.output,
                                   "write to this file, mode 0640, complete or not at all; never to a terminal");
    show.add_flag("--overwrite", parser.options.overwrite, "replace an existing file")->needs(output);
    parser.reason(show);
}

int archive_list_command(const Options& options) {
    return print_listing(options, {.path = "/archive", .rows = "files", .show = show_archived_files});
}

int archive_show_command(const Options& options) {
    if (options.output.empty() && ::isatty(STDOUT_FILENO) == 1) {
        print_error(
            "drawbridge: archive show: the file contains account numbers, and a terminal keeps its output: write to a "
            "file with --output, or use a pipe");
        return app::exit_usage;
    }
    const auto file = ReportFile::open(options.output, options.overwrite);
    if (!file) return report_write_failure(file.error());
    app::Caller caller(options.config);
    for (std::size_t offset = 0, size = admin::archive_piece_bytes; size == admin::archive_piece_bytes;
         offset += size) {
        const auto piece = call_api_for_bytes(caller, "/archive/show",
                                              {{"name", options.name}, {"reason", options.reason}, {"offset", offset}});
        if (!piece) return piece.error();
        size = piece->size();
        if (const auto written = (*file)->write(*piece); !written) return report_write_failure(written.error());
    }
    if (const auto finished = (*file)->finish(); !finished) return report_write_failure(finished.error());
    return app::exit_ok;
}

}  // namespace drawbridge::cli
