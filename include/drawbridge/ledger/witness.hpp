// The witness: a folder on another disk or machine that holds a copy of the high-water mark. A snapshot of the machine
// that is rolled back takes the ledger and its mark back with it, not the witness.
//
// These functions touch the folder alone, never the ledger. They may block for as long as its file system does: call
// them on a thread of their own (pipeline/disk_worker.hpp).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "drawbridge/domain/error.hpp"

namespace drawbridge::ledger {

// Makes an empty folder the witness of this ledger: an identity file, so that an unmounted folder or that of another
// ledger is not taken for it, and a mark from before the first entry. False: it is this ledger's witness already.
// Errors: it is another ledger's; it is not there; it cannot be written.
[[nodiscard]] Result<bool> init_witness(const std::filesystem::path& folder, std::string_view ledger_id);

// The mark as it was last written. Errors (all mean that nothing may leave): the folder or a file of it is not there or
// cannot be read; it is another ledger's.
[[nodiscard]] Result<std::string> read_witness(const std::filesystem::path& folder, std::string_view ledger_id);

// Replaces the mark. On return it survives power loss. Errors as above.
[[nodiscard]] Result<void> write_witness(const std::filesystem::path& folder, std::string_view ledger_id,
                                         std::string_view mark);

}  // namespace drawbridge::ledger
