// Copies of the ledger while it is in use, and what is known of those that were made.
//
// A copy counts only when it was opened, held against every invariant and synced. This module writes copies under
// temporary names; whoever orders one gives it its name and removes old ones.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "drawbridge/ledger/ledger.hpp"
#include "drawbridge/ledger/verify.hpp"

namespace drawbridge::ledger {

// Takes a copy in slices, between which the ledger may be read and written: what is written meanwhile is in the copy.
class BackupCopy {
  public:
    // The file (0600) must not be there.
    explicit BackupCopy(Ledger& ledger, const std::filesystem::path& file);
    BackupCopy(const BackupCopy&) = delete;
    BackupCopy& operator=(const BackupCopy&) = delete;
    ~BackupCopy();
    // At most so many pages (8 KiB) more, outside a transaction. True: the copy is whole.
    [[nodiscard]] bool copy(int pages);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

// How far the audit trail goes.
struct AuditEnd {
    std::int64_t seq = 0;
    std::string head;
};
[[nodiscard]] AuditEnd audit_end(const Ledger& ledger);

// Opens the copy and holds it against every invariant; `copied_at` is where the trail of the ledger ended when the copy
// was whole. It touches no ledger in use, and may take minutes: it may run in a thread of its own. Errors: it cannot be
// opened; `stop` was requested (cancelled).
[[nodiscard]] Result<std::vector<InvariantResult>> inspect_copy(const std::filesystem::path& file,
                                                                const AuditEnd& copied_at, Instant now,
                                                                const std::optional<SealingKey>& key = std::nullopt,
                                                                const std::stop_token& stop = {});

struct CopyFacts {
    std::string ledger_id;
    std::string sha256;
    std::int64_t size_bytes = 0;
    std::int64_t audit_seq = 0;  // how far the copy goes
    std::string audit_head;
    std::vector<InvariantResult> checks;
};
// The same, and syncs it. Errors name the first violation.
[[nodiscard]] Result<CopyFacts> verify_copy(const std::filesystem::path& file, Instant now,
                                            const std::optional<SealingKey>& key = std::nullopt,
                                            const std::stop_token& stop = {});

struct Backup {
    Instant at;
    std::string by;
    std::string file;
    std::string sha256;
    std::int64_t size_bytes = 0;
    std::int64_t audit_seq = 0;
    std::string audit_head;
    bool scheduled = false;
};
void record_backup(Ledger& ledger, const Backup& backup, const Stamp& stamp);
// Newest first.
[[nodiscard]] std::vector<Backup> backups(Ledger& ledger, int limit);
[[nodiscard]] std::optional<Backup> last_backup(Ledger& ledger);
[[nodiscard]] std::optional<Backup> last_scheduled_backup(Ledger& ledger);

// On return the file's name survives power loss.
void sync_folder_of(const std::filesystem::path& file);

}  // namespace drawbridge::ledger
