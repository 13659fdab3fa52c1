// Tells a full disk, which is waited out, from a failing one, which ends the program.
#pragma once

#include <exception>
#include <filesystem>
#include <optional>
#include <string>

#include "drawbridge/ledger/ledger.hpp"

namespace drawbridge::ledger {

// What to tell people when `failure` of the ledger, or of a file in its state folder, means that there is no space
// left; nullopt: it is something else. The transaction that it came out of was rolled back.
[[nodiscard]] std::optional<std::string> no_space(const Ledger& ledger, const std::exception& failure);
// The same where the ledger of that folder could not even be opened.
[[nodiscard]] std::optional<std::string> no_space(const std::filesystem::path& state_dir,
                                                  const std::exception& failure);

// Whether `failure` leaves the ledger or its disk in doubt, so that the process must end and recover at its next start:
// an I/O error, a corrupt or replaced ledger, a commit that failed. False: a mistake in what was asked of them; the
// transaction was rolled back.
[[nodiscard]] bool is_fatal(const std::exception& failure);

}  // namespace drawbridge::ledger
