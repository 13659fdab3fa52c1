// Carries payment files through their states: planned → staged → releasing → released. Every step may be repeated after
// a crash; a released file is never rewritten.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/ledger/payments.hpp"
#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::pipeline {

namespace asio = boost::asio;

struct FilesReport {
    std::int64_t staged = 0, released = 0;  // in this run
    // Wait for a person although files are released automatically.
    std::vector<std::string> over_limit;  // with the sums
    std::int64_t with_makers = 0;         // for another than those who had a hand in them
    std::vector<std::string> problems;
};

// Takes every unreleased file as far as it may go; where a release is ordered its draws are read from the service, so
// no step may run beside it. Where the ledger is paused nothing is released. Between two files what people ordered
// meanwhile is done first, so that a pause holds from the next file on.
[[nodiscard]] asio::awaitable<FilesReport> finish_files(Context& context);

// A person orders the release of a staged file; then its draws are read from the service, and it goes, or its order
// waits (FileRow::order says for what). No step may run beside it. Errors: no such file, not staged, released or
// ordered already, the person may not release it, money movement is paused; or what speaks against it, as an exception
// too.
[[nodiscard]] asio::awaitable<Result<ledger::FileRow>> release_file(Context& context, std::string name,
                                                                    std::string reason, ledger::Stamp stamp);

// Ends a file that has not left, whatever was ordered: its draws are paid anew by the next run, under new numbers.
// Errors: no such file, it may have left, voided already.
[[nodiscard]] Result<ledger::FileRow> void_file(Context& context, std::string_view name, std::string_view reason,
                                                const ledger::Stamp& stamp);

struct VoidedPayment {
    ledger::FileRow file;
    DrawId draw_id = 0;
};
// Ends a single payment that has not gone out: its whole file is voided, and its draw is held until a person settles
// the exception; the other draws of the file are paid anew by the next run. Errors: no such payment, and as void_file.
[[nodiscard]] Result<VoidedPayment> void_payment(Context& context, std::int64_t payment_id, std::string_view reason,
                                                 const ledger::Stamp& stamp);

}  // namespace drawbridge::pipeline
