// The traces beside the ledger that reveal an older copy of it, or another file in its place. Private to this module.
#pragma once

#include <optional>

#include "drawbridge/ledger/facts/restorations.hpp"
#include "drawbridge/ledger/store/ledger.hpp"

namespace drawbridge::ledger {

// A file with this name means that a restore is in progress.
inline constexpr const char* restoring_name = "restoring";
// Stays when a ledger is removed.
inline constexpr const char* ledger_mark = "ledger.mark";
// Has a number of its own for each state folder whose ledger is in PostgreSQL.
inline constexpr const char* folder_id = "folder.id";

// Records that the ledger is this file on this disk.
void record_place_of(Ledger& ledger, const std::filesystem::path& file, Instant now);
// Records that the ledger is this schema in PostgreSQL, and that this host uses it.
void record_place_of_schema(Ledger& ledger, Instant now);

// Another machine writes this ledger too, or stands by, or did. What it sent may be in no trace of this one. `mark` is
// this machine's: it remembers, whatever a database that was rolled back knows.
[[nodiscard]] bool has_or_had_other_hosts(Ledger& ledger, const std::optional<HighWaterMark>& mark);
// Another host wrote this ledger last. Writes nothing: the state folder may be another process's.
[[nodiscard]] bool is_of_another_host(Ledger& reader);

// Begins a restoration if the ledger lacks what the mark names, if the mark is missing although files were released, or
// if the ledger is not the file that was used last. `is_new`: it was just created.
void detect_rollback(Ledger& ledger, bool is_new, Instant now);

}  // namespace drawbridge::ledger
