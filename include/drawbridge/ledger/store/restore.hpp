// Puts a backup in the place of the ledger.
//
// It never deletes a ledger and starts nothing. The restored ledger is paused until it is compared and a person ends
// the restoration (restorations.hpp).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/ledger/store/ledger.hpp"

namespace drawbridge::ledger {

struct Restored {
    std::filesystem::path set_aside;  // the ledger that was there; empty: there was none
    std::string sha256;               // of the backup
    std::int64_t audit_seq = 0;       // the newest audit entry in the backup
    std::string other_ledger;         // the id of the ledger that was there, if the backup is of another
    // Of people, in the ledger that was there and not in the backup, newest first; one line for each.
    std::vector<std::string> lost_acts;
    std::string unreadable;  // why `lost_acts` may not be all: the ledger that was there could not be read to its end
};
// Locks the state folder, verifies the backup, migrates it to this program's schema, marks it as restored and puts it
// in place durably. After a crash, run it again. Errors: a process owns the ledger; the backup is not sound; it belongs
// to another ledger than the one in place, and that one planned payments; `key` (without it, the one in the state
// folder) is not the one that sealed it. `once_open` is called when the backup is open and nothing is written yet, so
// that the caller can drop the privilege to read it.
[[nodiscard]] Result<Restored> restore(
    const std::filesystem::path& state_dir, const std::filesystem::path& backup, std::string_view reason,
    const std::optional<SealingKey>& key, const Stamp& stamp, const std::function<void()>& once_open = [] {});

}  // namespace drawbridge::ledger
