// What the ledger knows of the archive: the keys that open its files, which of them are sealed or deleted, and which
// bytes must be there.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/sealing_key.hpp"
#include "drawbridge/ledger/ledger.hpp"

namespace drawbridge::ledger {

// The first is that of the sealing key in use; the others are those of earlier ones.
[[nodiscard]] std::vector<ArchiveKey> archive_keys(Ledger& ledger);
// In a transaction, after the sealing key was changed.
void retire_archive_key(Ledger& ledger, const ArchiveKey& key, const Stamp& stamp);

struct ArchivedFile {
    std::string sha256;  // of the plain bytes, and so is the size
    std::int64_t size_bytes = 0;
    Instant sealed_at;
    std::optional<Instant> deleted_at;
};
// By path below spool/archive, of the plain form.
[[nodiscard]] std::map<std::string, ArchivedFile> archived_files(Ledger& ledger);
// `file.sealed_at` is when. `found`: nothing is known of its sealing, the ledger is an older copy.
void record_sealed(Ledger& ledger, const std::string& path, const ArchivedFile& file, bool found, const Stamp& stamp);

// Nothing that is open or unfinished needs these bytes: no exception, no payment without an end.
[[nodiscard]] bool may_be_deleted(Ledger& ledger, std::string_view sha256);
// Before the file goes.
void record_deleted(Ledger& ledger, const std::string& path, std::string_view why, const Stamp& stamp);

// A bank file or a payment file.
struct KnownBytes {
    std::string what;           // "confirmation file bank.csv"
    bool must_be_kept = false;  // false: it may have been cleared away before the ledger looked, or never came here
    bool is_deleted = false;    // by policy
};
// By SHA-256.
[[nodiscard]] std::map<std::string, KnownBytes> known_bytes(Ledger& ledger);

}  // namespace drawbridge::ledger
