// Distinguishes a full disk, which the program waits out, from a failing disk, which ends it.
#pragma once

#include <exception>
#include <filesystem>
#include <optional>
#include <string>

#include "drawbridge/ledger/store/ledger.hpp"

namespace drawbridge::ledger {

// A message for people when `failure`, of the ledger or of a file in its state folder, means that the disk is full;
// nullopt: it is something else. The transaction was rolled back.
[[nodiscard]] std::optional<std::string> no_space(const Ledger& ledger, const std::exception& failure);
// The same message when the ledger in that folder could not be opened at all.
[[nodiscard]] std::optional<std::string> no_space(const std::filesystem::path& state_dir,
                                                  const std::exception& failure);

// True: `failure` leaves the state of the ledger or its disk unknown, so the process must end and recover at its next
// start: an I/O error, a corrupt or replaced ledger, a failed commit. False: the request was wrong and the transaction
// was rolled back.
[[nodiscard]] bool is_fatal(const std::exception& failure);

}  // namespace drawbridge::ledger
