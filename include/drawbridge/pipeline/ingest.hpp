// One confirmation file on its way: held, recognised, read, matched line by line, and then recorded in one transaction
// and put away; or only looked at. It reads and stages in slices, so that other tasks of the program go on meanwhile,
// and keeps a few thousand lines in memory, whatever the file's size. It chooses no file: that is the step's.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/ledger/confirmations.hpp"
#include "drawbridge/pipeline/acknowledge.hpp"
#include "drawbridge/pipeline/context.hpp"
#include "drawbridge/reconciliation/match.hpp"

namespace drawbridge::pipeline {

namespace asio = boost::asio;

enum class IngestOutcome {
    applied,   // every line is recorded, with its effect or as an exception
    repeated,  // these very bytes were applied before: nothing happens
    refused,   // nothing of it is applied: `report` says why
};
[[nodiscard]] std::string_view to_string(IngestOutcome fate);  // "applied", "repeated", "refused"

struct FileOutcome {
    IngestOutcome fate = IngestOutcome::applied;
    std::string name;  // as it may be shown
    std::string sha256;
    std::int64_t size_bytes = 0;
    std::string format, recognized_by, profile, bank_file_id;  // empty: not known
    std::optional<BusinessDate> date;                          // of the file
    std::int64_t line_count = 0;
    ledger::AppliedCounts counts;
    std::vector<reconciliation::Match> lines;  // the first ones that were asked for, by line
    std::vector<Comparison> acknowledgments;  // of payment files, by line; those that need a person count as exceptions
    std::vector<std::string> remarks;         // what a person should know of the file as a whole
    bool nothing_came_back = false;           // a bank's file that holds no line: that is its news
    std::string report;                       // refused: each problem as file:line:column
    std::string kept_in;                      // where the file is now, relative to the state folder
};

// What a name from outside may be shown as: without control characters.
[[nodiscard]] std::string shown_name(std::string_view name);

// Takes a claimed file to its end: the archive or quarantine. `lines_wanted` of its lines are part of the outcome.
// Errors leave it claimed, and the next run takes it up again.
[[nodiscard]] asio::awaitable<Result<FileOutcome>> take_file(Context& context, spool::ClaimedFile file,
                                                             std::size_t lines_wanted);

// Error: there is no profile of that name among those that are configured, and no format. Empty: none is asked for.
[[nodiscard]] Result<void> check_profile(const Context& context, std::string_view profile);

// What take_file() would do with an upload now. Changes nothing: no row, no file.
[[nodiscard]] asio::awaitable<Result<FileOutcome>> preview_upload(Context& context, std::string upload,
                                                                  std::string name, std::string profile,
                                                                  std::size_t lines_wanted);

}  // namespace drawbridge::pipeline
