// Carries payment files through their states: planned → staged → releasing → released. Every step may be repeated after
// a crash; a released file is never rewritten.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/ledger/payments.hpp"
#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::pipeline {

struct FilesReport {
    std::int64_t staged = 0, released = 0;  // in this run
    std::vector<std::string> problems;
};

// Takes every unreleased file as far as it may go. Where the ledger is paused nothing is released.
FilesReport finish_files(Context& context);

// A person orders the release of a staged file; then it is carried out. Errors: no such file, not staged, released
// already, started by the same person, money movement is paused, the staged bytes are not those that were written.
[[nodiscard]] Result<ledger::FileRow> release_file(Context& context, std::string_view name, std::string_view reason,
                                                   const ledger::Stamp& stamp);

// Ends a file that has not gone out: its draws are paid anew by the next run, under new numbers. Errors: no such file,
// its release was ordered, voided already.
[[nodiscard]] Result<ledger::FileRow> void_file(Context& context, std::string_view name, std::string_view reason,
                                                const ledger::Stamp& stamp);

}  // namespace drawbridge::pipeline
