// The mark beside the ledger that tells an older copy of it. Private to this room.
#pragma once

#include "drawbridge/ledger/ledger.hpp"

namespace drawbridge::ledger {

// Pauses money movement when the ledger lacks what the mark names.
void pause_if_older(Ledger& ledger, Instant now);

}  // namespace drawbridge::ledger
