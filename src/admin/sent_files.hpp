// Payment files that lie where the bank takes them, held against the ledger. Private to this module.
#pragma once

#include <vector>

#include "drawbridge/admin/handlers.hpp"
#include "drawbridge/reconciliation/lines.hpp"

namespace drawbridge::admin {

// A line for each file in spool/outgoing/ that the ledger does not know, or not as gone out: the ledger may be an older
// copy, and its draws may have been paid.
[[nodiscard]] std::vector<reconciliation::Line> lines_of_sent_files(AdminContext& context,
                                                                    const reconciliation::ReportSettings& settings);

}  // namespace drawbridge::admin
