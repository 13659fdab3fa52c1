// Records the export of a released file. Private to this module.
#pragma once

#include "drawbridge/ledger/facts/payments.hpp"

namespace drawbridge::ledger {

// Call it right after the audit entry that orders the release.
void record_export(Ledger& ledger, FileId file_id, ExportedPayments& payments, const Stamp& stamp);

struct LastExport {
    std::int64_t export_no = 0;  // 0: none yet
    std::string line_sha256;     // the ledger's id if there is none
};
[[nodiscard]] LastExport last_export(Ledger& ledger);

}  // namespace drawbridge::ledger
