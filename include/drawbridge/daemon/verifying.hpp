// Checks the ledger against the money-safety invariants, and compares it with the manifests and the archive, while it
// is in use. It checks a copy in a separate thread, so that steps and status requests never wait.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "drawbridge/daemon/application.hpp"
#include "drawbridge/ledger/reports/verify.hpp"

namespace drawbridge::daemon {

using Verified = Result<std::vector<ledger::InvariantResult>>;

// Records the result and removes the copy. If another check is running, waits for it first. With ledger.read_url it
// checks what a standby of the server has, in place of a copy.
[[nodiscard]] asio::awaitable<Verified> verify_copy_of_ledger(Application& app, ledger::Stamp by);

// Without a daemon: checks the ledger itself, because nothing else waits for it. nullopt: a ledger that is only read,
// so the result is not recorded.
[[nodiscard]] asio::awaitable<Verified> verify_in_place(Application& app, std::optional<ledger::Stamp> by);

// nullopt: not due.
[[nodiscard]] asio::awaitable<std::optional<Verified>> verify_if_due(Application& app);

// Removes the copy of an earlier process that was killed during a check.
void remove_unfinished_copy(const Application& app);

}  // namespace drawbridge::daemon
