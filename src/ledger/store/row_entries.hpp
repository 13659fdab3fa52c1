// Audit entries about rows that the daemon records by the hundred. The digest at the end of each transaction covers
// every row, so many rows of one kind share one entry, which says from which row to which; a few have one each, as if
// they had been audited one by one. What a person does is never gathered. Private to this module.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/ledger/store/ledger.hpp"

namespace drawbridge::ledger {

struct RowEntry {
    Stamp stamp;
    std::string action, subject, detail;
    std::string_view rows;  // a literal: "decisions"
    std::int64_t row_id = 0;
};

// In the running transaction. The entry is written when it ends.
void audit_row(Ledger& ledger, RowEntry entry);
// Before the facts are sealed.
void write_row_entries(Ledger& ledger);

}  // namespace drawbridge::ledger
