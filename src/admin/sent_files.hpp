// Compares the payment files in spool/outgoing/ with the ledger. Private to this module.
#pragma once

#include <vector>

#include "drawbridge/admin/handlers.hpp"
#include "drawbridge/reconciliation/lines.hpp"

namespace drawbridge::admin {

// A line for each file in spool/outgoing/ that the ledger does not know, or does not know as released. The ledger may
// be an older copy, and its draws may have been paid.
[[nodiscard]] std::vector<reconciliation::Line> lines_of_sent_files(AdminContext& context,
                                                                    const reconciliation::ReportSettings& settings);

}  // namespace drawbridge::admin
