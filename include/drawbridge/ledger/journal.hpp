// The audit trail as it is told on: what was recorded since, with the draw, the payment, the file and the rule that
// each row is about. It reads only; the trail itself is the ledger's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "drawbridge/domain/draw.hpp"
#include "drawbridge/ledger/ledger.hpp"

namespace drawbridge::ledger {

struct JournalEntry {
    std::int64_t seq = 0;
    Instant at;
    std::string actor;
    std::string action;   // "file.released"
    std::string subject;  // "file ACH-20260304-A.ach"
    std::string detail;
};
// The number of the newest row.
[[nodiscard]] std::int64_t journal_end(const Ledger& ledger);
// Rows after that number, oldest first; without those that only seal the facts of a transaction ("facts.sealed").
[[nodiscard]] std::vector<JournalEntry> journal_since(Ledger& ledger, std::int64_t seq, int limit);

// Empty: it is about none, or the ledger does not know.
struct JournalReferences {
    std::optional<DrawId> draw_id;
    std::string payment_id;  // "P0000000017"
    std::string file_name;
    std::string file_sha256;
    std::string rule;
};
[[nodiscard]] JournalReferences references_of(Ledger& ledger, const JournalEntry& entry);

}  // namespace drawbridge::ledger
