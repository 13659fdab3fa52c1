// The ledger's record of the archive: the keys that open its files, which files are sealed or deleted, and which bytes
// must be there.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/sealing_key.hpp"
#include "drawbridge/ledger/store/ledger.hpp"

namespace drawbridge::ledger {

// The first belongs to the sealing key in use, the others to earlier ones.
[[nodiscard]] std::vector<ArchiveKey> archive_keys(Ledger& ledger);
// In a transaction, after the sealing key has changed.
void retire_archive_key(Ledger& ledger, const ArchiveKey& key, const Stamp& stamp);

struct ArchivedFile {
    std::string sha256;  // this and the size are of the plain bytes
    std::int64_t size_bytes = 0;
    Instant sealed_at;
    std::optional<Instant> deleted_at;
};
// Keyed by the path of the plain form, below spool/archive.
[[nodiscard]] std::map<std::string, ArchivedFile> archived_files(Ledger& ledger);
// `found`: the file was already sealed and this ledger, an older copy, did not know it.
void record_sealed(Ledger& ledger, const std::string& path, const ArchivedFile& file, bool found, const Stamp& stamp);

// No open exception and no unfinished payment needs these bytes.
[[nodiscard]] bool may_be_deleted(Ledger& ledger, std::string_view sha256);
// Call it before the file is deleted.
void record_deleted(Ledger& ledger, const std::string& path, std::string_view why, const Stamp& stamp);

// A bank file or a payment file.
struct KnownBytes {
    std::string what;             // "confirmation file bank.csv"
    std::int64_t size_bytes = 0;  // of a bank file
    bool must_be_kept = false;    // false: it may never have been in the archive
    bool is_deleted = false;      // by policy
};
// Keyed by SHA-256.
[[nodiscard]] std::map<std::string, KnownBytes> known_bytes(Ledger& ledger);

}  // namespace drawbridge::ledger
