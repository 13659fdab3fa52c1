// What lies beside the ledger and tells an older copy of it, or another file in its place. Private to this module.
#pragma once

#include "drawbridge/ledger/ledger.hpp"

namespace drawbridge::ledger {

// A file of that name says that a restore is under way.
inline constexpr const char* restoring_name = "restoring";

// The ledger is this very file.
void record_place_of(Ledger& ledger, const std::filesystem::path& file, Instant now);

// A mark without a ledger: it must not begin anew, or all would be paid again.
[[nodiscard]] Result<void> check_not_lost(const std::filesystem::path& state_dir);

// Begins a restoration when the ledger lacks what the mark names, when the mark is gone though files were let go, or
// when the ledger is another file than the one that was used last. `is_new`: it was made just now.
void detect_rollback(Ledger& ledger, bool is_new, Instant now);

}  // namespace drawbridge::ledger
