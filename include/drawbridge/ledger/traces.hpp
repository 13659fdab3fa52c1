// Positions in the audit trail that something outside the ledger names: the witness, a backup. A ledger that lacks one
// of them is an older copy.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/ledger/restorations.hpp"

namespace drawbridge::ledger {

// What the mark says, beside the ledger and in the witness: how far the audit trail (its last entry that is on disk),
// the exports and the numbers have come.
[[nodiscard]] std::string high_water_mark_text(Ledger& ledger);
// Errors: it is not such a text.
[[nodiscard]] Result<HighWaterMark> parse_high_water_mark(const std::string& text);

// The ledger has that entry in its audit trail, or has recorded that it was lost.
[[nodiscard]] bool knows_position(Ledger& ledger, const HighWaterMark& mark);
// From now on it is known, and its numbers and file id modifiers are used up. `source` names the trace. Not known
// before.
void record_lost_position(Ledger& ledger, const Restoration& restoration, std::string_view source,
                          const HighWaterMark& mark, const Stamp& stamp);
// Records the position as lost and begins a restoration.
void begin_restoration_by_trace(Ledger& ledger, std::string_view source, const HighWaterMark& mark, const Stamp& stamp);

struct LostPosition {
    std::string source;
    std::optional<std::int64_t> export_no;
    std::optional<Instant> incomplete_at;
};
[[nodiscard]] std::vector<LostPosition> lost_positions(Ledger& ledger, const Restoration& restoration);

// The end of the audit trail in a backup, which is read in place and not changed. nullopt: it is no ledger that can be
// read, or another one. It may block: see witness.hpp.
[[nodiscard]] std::optional<HighWaterMark> position_of_backup(const std::filesystem::path& file,
                                                              const std::string& ledger_id);

}  // namespace drawbridge::ledger
