// The witness: a folder on another disk or machine with a copy of the high-water mark. Rolling back a snapshot of the
// machine takes the ledger and its mark back, but not the witness.
//
// These functions touch only the folder, never the ledger. They may block as long as its file system does: call them on
// a thread of their own (pipeline/worker.hpp).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "drawbridge/domain/error.hpp"

namespace drawbridge::ledger {

// Makes an empty folder the witness of this ledger. It writes an identity file, so that an unmounted folder or the
// witness of another ledger is not mistaken for it, and a mark before the first entry. False: it is already this
// ledger's witness. Errors: it is another ledger's; it does not exist; it cannot be written.
[[nodiscard]] Result<bool> init_witness(const std::filesystem::path& folder, std::string_view ledger_id);

// The mark as last written. Errors (all mean that nothing may leave): the folder or a file in it is missing or
// unreadable; it is another ledger's.
[[nodiscard]] Result<std::string> read_witness(const std::filesystem::path& folder, std::string_view ledger_id);

// Replaces the mark. On return it survives power loss. Errors as above.
[[nodiscard]] Result<void> write_witness(const std::filesystem::path& folder, std::string_view ledger_id,
                                         std::string_view mark);

}  // namespace drawbridge::ledger
