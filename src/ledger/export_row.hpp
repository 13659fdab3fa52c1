// Recording that a file is let go. Private to this module.
#pragma once

#include "drawbridge/ledger/payments.hpp"

namespace drawbridge::ledger {

// Call it right after the entry in the audit trail that orders the release.
void record_export(Ledger& ledger, FileId file_id, const Stamp& stamp);

struct LastExport {
    std::int64_t export_no = 0;  // 0: none yet
    std::string line_sha256;     // the ledger's id where there is none
};
[[nodiscard]] LastExport last_export(Ledger& ledger);

}  // namespace drawbridge::ledger
