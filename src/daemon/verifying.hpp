// Holds the ledger against the money-safety invariants while it is in use: on a copy, in a thread of its own, so that
// the steps and whoever asks for the status never wait for it. Private to this module.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "application.hpp"
#include "drawbridge/ledger/verify.hpp"

namespace drawbridge::daemon {

using Verified = Result<std::vector<ledger::InvariantResult>>;

// What it found is recorded; the copy is gone. One who asks while another check is under way waits for its turn.
[[nodiscard]] asio::awaitable<Verified> verify_copy_of_ledger(Application& app, ledger::Stamp by);

// The same where no daemon runs: nobody else waits for the ledger.
[[nodiscard]] asio::awaitable<Verified> verify_in_place(Application& app, ledger::Stamp by);

// nullopt: it was not due.
[[nodiscard]] asio::awaitable<std::optional<Verified>> verify_if_due(Application& app);

// What an earlier process left that was killed in the middle of it.
void remove_unfinished_copy(const Application& app);

}  // namespace drawbridge::daemon
