// What must hold when a payment file leaves: fresh readings of its draws, every question that planning asked, and its
// dates. It only asks and records readings; what a fault means for the file is the caller's (release.hpp). Private to
// this module.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/ledger/payments.hpp"
#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::pipeline {

// When the file leaves, no reading of its draws is older.
inline constexpr std::chrono::minutes oldest_reading{5};

// Why a file does not leave.
struct ReleaseFault {
    std::string_view reason_code;
    std::string detail;  // without what to do
};

// The service showed this draw, and the ledger has what it showed. `asked_at`: before the request was sent.
void note_reading(Context& context, DrawId id, Instant asked_at);
// Every draw of the file was read in the last five minutes; where a person ordered its release, after the order.
[[nodiscard]] bool readings_are_fresh(Context& context, const ledger::FileRow& file);

// Reads and records every draw of the file whose reading is not fresh. Gives what is wrong with single draws ("draw 17
// cannot be read: …"). Error: the service cannot be asked now, for at least one of them.
[[nodiscard]] boost::asio::awaitable<Result<std::vector<std::string>>> read_file_again(Context& context,
                                                                                       ledger::FileRow file);

// The staged file is there, byte for byte.
[[nodiscard]] std::optional<ReleaseFault> fault_in_bytes(Context& context, const ledger::FileRow& file);
// A file that comes too late for the day it names would be rejected, or settle on another day than its rows say.
[[nodiscard]] std::optional<ReleaseFault> fault_in_dates(Context& context, const ledger::FileRow& file);
// From what the ledger knows now: its draws are what they were when it was planned, and planning would pay them again.
[[nodiscard]] std::optional<ReleaseFault> fault_in_draws(Context& context, const ledger::FileRow& file);

// "the first of them (and 2 more)".
[[nodiscard]] std::string first_of(const std::vector<std::string>& faults);

}  // namespace drawbridge::pipeline
