// Puts a backup in the ledger's place.
//
// It never deletes a ledger, and starts nothing: the restored ledger is paused until it was compared and a person has
// ended the restoration (restorations.hpp).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "drawbridge/ledger/ledger.hpp"

namespace drawbridge::ledger {

struct Restored {
    std::filesystem::path set_aside;  // the ledger that was there; empty: there was none
    std::string sha256;               // of the backup
    std::int64_t audit_seq = 0;       // how far it went
};
// Takes the lock of the state folder, verifies the backup, brings it to this program's schema, marks it as restored,
// and puts it in place, durably; after a crash in the middle it is simply done again. Errors: a process owns the
// ledger, the backup is not sound, it is one of another ledger, or `key` (without it the one in the state folder) is
// not the one that it was sealed with. `once_open` is called when the backup is open and nothing is written yet: the
// caller may then give up the right to read it.
[[nodiscard]] Result<Restored> restore(
    const std::filesystem::path& state_dir, const std::filesystem::path& backup, std::string_view reason,
    const std::optional<SealingKey>& key, const Stamp& stamp, const std::function<void()>& once_open = [] {});

}  // namespace drawbridge::ledger
