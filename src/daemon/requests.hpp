// The acts and queries behind the operators' API, with or without a daemon.
#pragma once

#include <string>

#include "application.hpp"
#include "drawbridge/admin/handlers.hpp"
#include "drawbridge/pipeline/ingest.hpp"
#include "drawbridge/pipeline/steps.hpp"

namespace drawbridge::daemon {

// Runs the pay step for a person. No other step may run meanwhile.
[[nodiscard]] asio::awaitable<Result<admin::PayOutcome>> pay_for(Application& app, ledger::Stamp by,
                                                                 std::string reason);

// Releases a payment file for a person. No other step may run meanwhile.
[[nodiscard]] asio::awaitable<Result<ledger::FileRow>> release_for(Application& app, std::string name,
                                                                   std::string reason, ledger::Stamp by);

// The forecast for an approved draw that is not in a payment file.
[[nodiscard]] std::optional<admin::Forecast> forecast(Application& app, DrawId id);

// Both days included.
[[nodiscard]] std::vector<admin::CalendarDay> calendar_days(Application& app, BusinessDate from, BusinessDate to);
// Of what is approved and in no file yet.
[[nodiscard]] admin::NextSettlement next_settlement(Application& app);
// Until when the file can be released and still settle on the earliest of its dates.
[[nodiscard]] std::optional<Instant> settlement_deadline(Application& app, const ledger::FileRow& file);

// Takes a claimed confirmation file in the name of a person. No other step may run meanwhile.
[[nodiscard]] asio::awaitable<Result<pipeline::FileOutcome>> take_for(Application& app, spool::ClaimedFile file,
                                                                      std::size_t lines_wanted, ledger::Stamp by);

// Fills in all members except `live`, `pay`, `release`, `take_file` and `reload`, which differ per program.
[[nodiscard]] admin::AdminContext admin_context(Application& app);

}  // namespace drawbridge::daemon
