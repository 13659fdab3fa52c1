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

// Reads a claimed confirmation file for a person. No other step may run meanwhile.
[[nodiscard]] asio::awaitable<Result<pipeline::FileOutcome>> take_for(Application& app, spool::ClaimedFile file,
                                                                      std::size_t lines_wanted, ledger::Stamp by);

// Fills in all members except `live`, `pay`, `release`, `take_file` and `reload`, which differ per program.
[[nodiscard]] admin::AdminContext admin_context(Application& app);

}  // namespace drawbridge::daemon
