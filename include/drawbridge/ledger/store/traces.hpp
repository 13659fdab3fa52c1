// Positions in the audit trail that a trace outside the ledger names: the witness, a backup. A ledger that lacks one of
// them is an older copy.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/ledger/facts/restorations.hpp"

namespace drawbridge::ledger {

// The text of the high-water mark, for the file next to the ledger and for the witness: the last durable audit entry,
// the last export, and the next numbers.
[[nodiscard]] std::string high_water_mark_text(Ledger& ledger);
// Errors: the text is not a high-water mark.
[[nodiscard]] Result<HighWaterMark> parse_high_water_mark(const std::string& text);

// True: the ledger has that entry in its audit trail, or has recorded it as lost.
[[nodiscard]] bool knows_position(Ledger& ledger, const HighWaterMark& mark);
// Records a position as lost: from now on it is known, and its numbers and file id modifiers are used up. `source`
// names the trace. It must not be known before.
void record_lost_position(Ledger& ledger, const Restoration& restoration, std::string_view source,
                          const HighWaterMark& mark, const Stamp& stamp);
// Records the position as lost and begins a restoration.
void begin_restoration_by_trace(Ledger& ledger, std::string_view source, const HighWaterMark& mark, const Stamp& stamp);

struct LostPosition {
    std::string source;
    std::optional<std::int64_t> export_no;
    std::vector<Instant> incomplete;  // comparisons that could not account for everything sent
};
[[nodiscard]] std::vector<LostPosition> lost_positions(Ledger& ledger, const Restoration& restoration);

// The folders in that of the state folder, itself among them; at most 1,000.
[[nodiscard]] std::vector<std::filesystem::path> folders_beside(const std::filesystem::path& state_dir);
// What may be a backup in a folder of backups, under any name. Empty also if the folder cannot be read.
[[nodiscard]] std::vector<std::filesystem::path> possible_backups(const std::filesystem::path& folder);
// The end of the audit trail in a backup. The file is read in place and not changed. nullopt: it is not a readable
// ledger, or another one than `ledger_id`, if that is given. It may block: see witness.hpp.
[[nodiscard]] std::optional<HighWaterMark> position_of_backup(const std::filesystem::path& file,
                                                              const std::optional<std::string>& ledger_id = {});

}  // namespace drawbridge::ledger
