// What must be true when a payment file leaves: fresh readings of its draws, every check of planning, and its dates. It
// only checks and records readings; the caller decides what a fault means for the file (release.hpp). Private to this
// module.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::pipeline {

// When a file leaves, no reading of its draws is older than this.
inline constexpr std::chrono::minutes max_reading_age{5};

inline constexpr std::string_view settlement_date_passed = "settlement_date_passed", possibly_sent = "possibly_sent";

// Why a file may not leave.
struct ReleaseFault {
    std::string_view reason_code;
    std::string detail;  // what is wrong; the caller adds what to do
};

// The ledger has the service's answer about this draw. `asked_at`: before the request was sent.
void note_reading(Context& context, DrawId id, Instant asked_at);
// The draws that the file pays, by id.
[[nodiscard]] boost::asio::awaitable<std::vector<ledger::PaidDraw>> draws_of(Context& context, ledger::FileRow file);
// Every draw of the file was read within max_reading_age and, if a person ordered the release, after the order.
[[nodiscard]] bool readings_are_fresh(Context& context, const ledger::FileRow& file,
                                      const std::vector<ledger::PaidDraw>& draws);

// Reads and records every draw of the file without a fresh reading. Returns the faults of single draws ("draw 17 cannot
// be read: …"). Error: the service cannot be asked now, for at least one draw.
[[nodiscard]] boost::asio::awaitable<Result<std::vector<std::string>>> reread_draws(Context& context,
                                                                                    ledger::FileRow file);

// It may have left before the ledger was restored.
[[nodiscard]] std::optional<ReleaseFault> fault_since_restore(Context& context, const ledger::FileRow& file);
// Likewise; and the staged file exists, byte for byte.
[[nodiscard]] std::optional<ReleaseFault> fault_in_bytes(Context& context, const ledger::FileRow& file);
// What was planned still fits: a file that is too late for its date would be rejected, or settle on another day than
// its rows say, and one of another paying account would go to the wrong bank.
[[nodiscard]] std::optional<ReleaseFault> fault_in_plan(Context& context, const ledger::FileRow& file);
// Its draws are unchanged since planning, and planning would pay them again. The file may have changed when this
// returns, but the answer is about the facts of that moment.
[[nodiscard]] boost::asio::awaitable<std::optional<ReleaseFault>> fault_in_draws(Context& context,
                                                                                 ledger::FileRow file);
// fault_in_draws() found none, and nothing that it asked about has changed since.
[[nodiscard]] bool is_faultless(Context& context, ledger::FileId file_id);
// What changed since is_faultless() is not what it asked about.
void note_faultless(Context& context, ledger::FileId file_id);

// Returns "the first of them (and 2 more)".
[[nodiscard]] std::string first_of(const std::vector<std::string>& faults);

}  // namespace drawbridge::pipeline
