// The audit trail for the journal: entries after a given one, with the draw, payment, file and rule that each is about.
// Read only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "drawbridge/domain/draw.hpp"
#include "drawbridge/ledger/store/ledger.hpp"

namespace drawbridge::ledger {

struct JournalEntry {
    std::int64_t seq = 0;
    Instant at;
    std::string actor;
    std::string action;   // "file.released"
    std::string subject;  // "file ACH-20260304-A.ach"
    std::string detail;
};
// The number of the newest entry.
[[nodiscard]] std::int64_t journal_end(const Ledger& ledger);
// The entry that the high-water mark named when the ledger was opened. An earlier process may have been killed before
// it logged later ones. Without a mark of this ledger, or while it is restored, the newest entry.
[[nodiscard]] std::int64_t journal_begin(Ledger& ledger);
// Entries after that number, oldest first, without those that only seal the facts of a transaction ("facts.sealed").
[[nodiscard]] std::vector<JournalEntry> journal_since(Ledger& ledger, std::int64_t seq, int limit);

// Entries after `after` up to `last`, oldest first, by which a person sent money out or changed who may do what: a
// release ordered; a person, a role or a passkey added, changed, confirmed or locked.
[[nodiscard]] std::vector<JournalEntry> powerful_acts(Ledger& ledger, std::int64_t after, std::int64_t last);

// The hash of an entry covers every earlier entry and, through "facts.sealed", every fact.
struct TrailEntry {
    std::int64_t seq = 0;
    Instant at;
    std::string hash;
};
[[nodiscard]] std::optional<TrailEntry> trail_entry(Ledger& ledger, std::int64_t seq);

// Empty fields: the entry is about none, or the ledger does not know it.
struct JournalReferences {
    std::optional<DrawId> draw_id;
    std::string payment_id;  // "P0000000017"
    std::string file_name;
    std::string file_sha256;
    std::string rule;
};
[[nodiscard]] JournalReferences references_of(Ledger& ledger, const JournalEntry& entry);

}  // namespace drawbridge::ledger
