// Opening a ledger with its key; sealing one that is not sealed yet. Private to this module.
#pragma once

#include <optional>

#include "drawbridge/ledger/sealing.hpp"

namespace drawbridge::ledger {

// Errors (unauthorized): the key is missing, or is not the one that this ledger was sealed with.
[[nodiscard]] Result<void> unlock(Ledger& ledger, const std::optional<SealingKey>& given, Instant now);

}  // namespace drawbridge::ledger
