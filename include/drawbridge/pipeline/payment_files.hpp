// Moves payment files through their states: planned → staged → releasing → released. Every transition can be repeated
// after a crash. A released file is never rewritten.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::pipeline {

namespace asio = boost::asio;

struct FilesReport {
    std::int64_t staged = 0, released = 0;  // in this run
    // Files that wait for a person although files are released automatically.
    std::vector<std::string> over_limit;  // with the sums
    std::int64_t with_makers = 0;         // a person who is not one of their makers must release them
    std::vector<std::string> problems;
};

// Raises an exception, once, about each staged file that nobody released in time for its settlement date, or that may
// have left before the ledger was restored.
void raise_overdue_releases(Context& context);

// Moves every unreleased file as far as it may go. For an ordered release it reads the draws from the service, so no
// step may run at the same time. While the ledger is paused nothing is released. Acts that people order meanwhile run
// between two files, so that a pause takes effect from the next file.
[[nodiscard]] asio::awaitable<FilesReport> finish_files(Context& context);

// Writes staged/NAME once more, on a host that does not have it. Returns its SHA-256, which must be the one in the
// ledger.
[[nodiscard]] Result<std::string> write_again(ledger::Ledger& ledger, spool::Spool& spool, const ledger::FileRow& file);

// A person orders the release of a staged file. Its draws are read from the service, and the file is released, or its
// order waits (FileRow::order says for what). No step may run at the same time. Errors: no such file, not staged,
// released or ordered already, the person may not release it, money movement is paused, or a release check fails (also
// raised as an exception).
[[nodiscard]] asio::awaitable<Result<ledger::FileRow>> release_file(Context& context, std::string name,
                                                                    std::string reason, ledger::Stamp stamp);

// Voids a file that has not left, even if its release is ordered. The next run pays its draws again, under new numbers.
// Errors: no such file, it may have left, already voided.
[[nodiscard]] Result<ledger::FileRow> void_file(Context& context, std::string_view name, std::string_view reason,
                                                const ledger::Stamp& stamp);

struct VoidedPayment {
    ledger::FileRow file;
    DrawId draw_id = 0;
};
// Voids a single payment that has not gone out. Its whole file is voided; its draw is held until a person resolves the
// exception; the next run pays the file's other draws again. Errors: no such payment, and as void_file.
[[nodiscard]] Result<VoidedPayment> void_payment(Context& context, std::int64_t payment_id, std::string_view reason,
                                                 const ledger::Stamp& stamp);

}  // namespace drawbridge::pipeline
