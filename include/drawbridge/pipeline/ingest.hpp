// Imports one claimed confirmation file: open, recognize, read, match line by line, record, then archive or quarantine.
// Or previews it. It works in slices, so that the program's other tasks continue, and keeps a few hundred lines in
// memory, regardless of the file's size. Every line is read before the first is recorded, so a file that is invalid at
// its end has no effect. From the first recorded line on the file is completed, if need be by the next process, before
// any step or release acts. The confirm step chooses the file.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/ledger/facts/confirmations.hpp"
#include "drawbridge/pipeline/acknowledge.hpp"
#include "drawbridge/pipeline/context.hpp"
#include "drawbridge/reconciliation/match.hpp"

namespace drawbridge::pipeline {

namespace asio = boost::asio;

enum class IngestOutcome {
    applied,   // every line is recorded, with its effect or as an exception
    repeated,  // the same bytes were applied before: nothing changes
    refused,   // nothing is applied: `report` says why
};
[[nodiscard]] std::string_view to_string(IngestOutcome outcome);  // "applied", "repeated", "refused"

struct FileOutcome {
    IngestOutcome outcome = IngestOutcome::applied;
    std::string name;  // sanitized for display
    std::string sha256;
    std::int64_t size_bytes = 0;
    std::string format, recognized_by, profile, bank_file_id;  // empty: not known
    std::optional<BusinessDate> date;                          // the file's own
    std::int64_t line_count = 0;
    ledger::AppliedCounts counts;
    std::vector<reconciliation::Match> lines;  // the first `max_lines`, by line
    std::vector<Comparison> acknowledgments;  // of payment files, by line; those that need a person count as exceptions
    std::vector<std::string> remarks;         // what a person should know about the file as a whole
    bool nothing_came_back = false;           // a return file without entries: no payment was returned
    std::string report;                       // refused: each problem as file:line:column
    std::string kept_in;                      // the file's path now, relative to the state folder
    std::string not_kept;                     // why it is still claimed instead; the next run moves it
};

// A name from outside, without control characters.
[[nodiscard]] std::string shown_name(std::string_view name);

// Imports a claimed file, up to the archive or quarantine. `max_lines`: how many of its lines the outcome lists. After
// an error the file stays claimed, and the next run imports it again; also if only its move failed (`not_kept`).
[[nodiscard]] asio::awaitable<Result<FileOutcome>> import_file(Context& context, spool::ClaimedFile file,
                                                               std::size_t max_lines);

// What follows once files are imported: the return rates, and lost files that the bank proves to have.
void follow_import(Context& context);

// Before an upload is claimed: on return another host could import it too, if the ledger is in PostgreSQL. Bytes other
// than those that the person saw are not kept. nullopt: nobody looked.
[[nodiscard]] asio::awaitable<void> keep_upload(Context& context, std::string upload, std::string name,
                                                std::string profile, std::optional<std::string> seen_sha256);

// Records the rest of a file that a process before this one began to record. Call it before anything that acts on what
// the bank said.
[[nodiscard]] asio::awaitable<void> finish_recording(Context& context);

// Error: neither a configured profile nor a format has this name. Empty: none is requested.
[[nodiscard]] Result<void> check_profile(const Context& context, std::string_view profile);

// What import_file() would do with an upload now. Changes nothing: no row, no file.
[[nodiscard]] asio::awaitable<Result<FileOutcome>> preview_upload(Context& context, std::string upload,
                                                                  std::string name, std::string profile,
                                                                  std::size_t max_lines);

}  // namespace drawbridge::pipeline
