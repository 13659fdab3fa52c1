// The audit trail for people who look through it: newest first, filtered. The trail itself is the ledger's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "drawbridge/ledger/reports/journal.hpp"

namespace drawbridge::ledger {

// Each text must be contained, in any case (A-Z); an empty one filters nothing.
struct AuditFilter {
    // `actor`: a part of the recorded actor, or of the name of a person whose uid it ever was.
    std::string actor, action, subject;
    std::int64_t before = 0;  // entries with a smaller number; 0: from the newest
    int limit = 1000;
};
struct AuditPage {
    std::vector<JournalEntry> entries;
    std::optional<std::int64_t> next_before;  // empty: that was the beginning of the trail
};
// Without the entries that only seal facts. One call looks at 50,000 entries at most, so a page may be short, or empty,
// and still have a next one.
[[nodiscard]] AuditPage list_audit(Ledger& ledger, const AuditFilter& filter);
// How many entries the list has without a filter. This reads the whole trail.
[[nodiscard]] std::int64_t count_audit(Ledger& ledger);

}  // namespace drawbridge::ledger
