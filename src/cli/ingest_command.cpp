// `drawbridge ingest`: uploads a confirmation file in chunks and shows the outcome of each line, or with --dry-run a
// preview of it.
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "call_api.hpp"
#include "commands.hpp"
#include "drawbridge/api/list_csv.hpp"
#include "drawbridge/app/programs.hpp"
#include "show.hpp"
#include "table.hpp"

namespace drawbridge::cli {
namespace {

// Well below the socket's maximum body size.
constexpr std::size_t piece_bytes = std::size_t{768} * 1024;

bool report_unreadable(const std::string& file, const std::string& why) {
    print_error(file + ": cannot be read: " + why + ": name a regular file that this user can read");
    return false;
}

bool open(const std::string& file, std::ifstream& in) {
    std::error_code error;
    const auto status = std::filesystem::status(file, error);
    if (status.type() == std::filesystem::file_type::not_found) return report_unreadable(file, "no such file");
    if (status.type() != std::filesystem::file_type::regular) return report_unreadable(file, "not a regular file");
    in.open(file, std::ios::binary);
    return in ? true : report_unreadable(file, std::strerror(errno));
}

// The path of the complete upload. Otherwise an exit code; the error is already printed.
std::expected<std::string, int> upload(app::Caller& caller, const Options& options, std::ifstream& in) {
    const auto begun = call_api(caller, "POST", "/ingest");
    if (!begun) return std::unexpected(begun.error());
    std::string target = "/ingest/" + percent_encoded((*begun)["upload"].get<std::string>());
    std::string piece(piece_bytes, '\0');
    for (std::uint64_t offset = 0; in;) {
        in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
        const auto size = static_cast<std::size_t>(in.gcount());
        if (in.bad()) {
            report_unreadable(options.name, std::strerror(errno));
            return std::unexpected(app::exit_failed);
        }
        if (size == 0) break;
        const auto kept = call_api_with_bytes(caller, "POST", target + "/bytes?offset=" + std::to_string(offset),
                                              piece.substr(0, size));
        if (!kept) return std::unexpected(kept.error());
        offset += size;
    }
    return target;
}

std::string outcome_text(const records::IngestedLine& line) {
    const std::string outcome = plain(line.outcome);
    const auto& proposal = line.proposal;
    const std::string may_be =
        proposal ? " (may be " + plain(proposal->payment_id) + ", score " + plain(proposal->score) + ")" : "";
    if (line.detail) return plain(line.detail) + may_be;
    if (outcome == "applied") return "the payment is " + plain(line.says);
    return outcome == "duplicate" ? "already known" : "";
}

void show_lines(const std::vector<records::IngestedLine>& lines) {
    Table table({{"LINE", Align::right},
                 {"SAYS", Align::left},
                 {"REFERENCE", Align::left},
                 {"AMOUNT", Align::right},
                 {"DATE", Align::left},
                 {"OUTCOME", Align::left},
                 {"PAYMENT", Align::left},
                 {"DRAW", Align::right},
                 {"WHY", Align::left}});
    for (const auto& line : lines) {
        std::string outcome = plain(line.outcome);
        if (line.reason_code) outcome += " " + plain(line.reason_code);
        const std::string says = plain(line.says) + (line.bank_code ? " " + plain(line.bank_code) : "");
        const std::string amount =
            line.currency == "USD" ? money(line.amount) : plain(line.amount) + " " + plain(line.currency);
        table.add({plain(line.line), says, plain(line.payment_reference), amount, plain(line.date), outcome,
                   plain(line.payment_id), plain(line.draw_id), outcome_text(line)});
    }
    if (!table.empty()) table.print();
}

void show_recognized(const records::IngestedFile& file) {
    if (!file.format) return;
    std::string line = plain(file.name) + ": " + plain(file.format);
    if (file.profile) line += " by profile " + plain(file.profile);
    line += ", recognized by " + plain(file.recognized_by);
    if (file.bank_file_id) line += "; the bank's file id is " + plain(file.bank_file_id);
    if (file.date) line += "; of " + plain(file.date);
    print_line(line);
}

void show(const records::IngestedFile& file, bool dry_run) {
    show_recognized(file);
    if (file.fate == "refused") {
        print_line(plain(file.name) +
                   (dry_run ? ": would be refused; nothing would be applied" : ": refused; nothing was applied"));
        for (const auto& problem : file.problems)
            print_error(plain(problem));
    } else if (file.fate == "repeated") {
        print_line(plain(file.name) + ": a file with the same bytes was applied before: nothing " +
                   (dry_run ? "would change" : "was changed"));
    } else if (file.nothing_came_back) {
        print_line(plain(file.name) + ": the file contains no lines: nothing came back from the bank");
    } else if (!file.acknowledgments.empty()) {
        for (const auto& one : file.acknowledgments)
            print_line("line " + plain(one.line) + ": " + plain(one.file) + " " + plain(one.outcome) + ": " +
                       plain(one.detail));
        print_line(counted(static_cast<std::int64_t>(file.acknowledgments.size()), "acknowledgment") +
                   (dry_run ? " would be compared, " : " compared, ") + counted(file.exceptions, "exception"));
    } else {
        show_lines(file.lines);
        if (file.lines_left_out != 0)
            print_line("… and " + counted(file.lines_left_out, "more line") + ": --limit shows more");
        print_line(counted(file.line_count, "line") + (dry_run ? " would be taken: " : " taken: ") +
                   plain(file.applied) + " applied (" + money(file.paid) + " paid" +
                   (file.returned.is_zero() ? "" : ", " + money(file.returned) + " returned") + "), " +
                   plain(file.duplicates) + " already known, " + counted(file.exceptions, "exception") + ", " +
                   plain(file.without_effect) + " without effect");
    }
    for (const auto& remark : file.remarks)
        print_line(plain(remark));
    if (file.kept_in) print_line("kept in " + plain(file.kept_in));
    if (dry_run) print_line("nothing was changed: this was a dry run");
}

}  // namespace

int ingest_command(const Options& options) {
    std::ifstream in;
    if (!open(options.name, in)) return app::exit_failed;
    app::Caller caller(options.config);
    const auto target = upload(caller, options, in);
    if (!target) return target.error();
    json body = {{"name", std::filesystem::path(options.name).filename().string()}, {"limit", options.lines}};
    if (!options.dry_run) body["reason"] = options.reason;
    if (!options.profile.empty()) body["profile"] = options.profile;
    const auto answer = call_api(caller, "POST", *target + (options.dry_run ? "/preview" : "/take"), body);
    if (!answer) return answer.error();
    const auto file = api::from_json<records::IngestedFile>(*answer);
    if (options.json) {
        print_json(*answer);
    } else if (options.csv) {
        print_bytes(api::csv_begin(api::bank_file_csv, *answer));
        for (const auto& line : (*answer)["lines"])
            print_csv_row(api::bank_file_csv.cells(line));
    } else {
        show(file, options.dry_run);
    }
    if (file.fate == "refused") return app::exit_failed;
    return file.exceptions == 0 ? app::exit_ok : app::exit_warnings;
}

}  // namespace drawbridge::cli
