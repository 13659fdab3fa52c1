// Opening a ledger with its sealing key; the first key of a new ledger. Private to this module.
#pragma once

#include <optional>

#include "drawbridge/ledger/store/sealing.hpp"

namespace drawbridge::ledger {

// Errors (unauthorized): the key is missing, or is not the one that sealed this ledger.
[[nodiscard]] Result<void> unlock(Ledger& ledger, const std::optional<SealingKey>& given, Instant now);

// For a process that reads only: the ledger is sealed and nothing is written.
[[nodiscard]] Result<void> unlock_to_read(Ledger& ledger, const std::optional<SealingKey>& given);

}  // namespace drawbridge::ledger
