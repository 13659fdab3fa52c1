// Copies of the ledger while it is in use, and the record of those that were made.
//
// A copy counts only after it was opened, checked against every invariant and synced. This module writes copies under
// temporary names. The caller gives a copy its final name and removes old ones.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "drawbridge/ledger/reports/verify.hpp"
#include "drawbridge/ledger/store/ledger.hpp"
#include "drawbridge/ledger/store/read_server.hpp"
#include "drawbridge/reconciliation/manifest.hpp"

namespace drawbridge::ledger {

// The endings of the files that SQLite keeps for one ledger.
inline constexpr std::string_view ledger_file_endings[] = {"", "-wal", "-shm", "-journal"};

// A ledger's file that is not complete yet, with what SQLite keeps beside it. The constructor removes what an earlier
// one left, and the destructor what was not renamed.
class PartialFile {
  public:
    explicit PartialFile(std::filesystem::path file) : file_(std::move(file)) { remove(); }
    PartialFile(const PartialFile&) = delete;
    PartialFile& operator=(const PartialFile&) = delete;
    ~PartialFile() { remove(); }
    [[nodiscard]] const std::filesystem::path& path() const { return file_; }

  private:
    void remove() const;
    std::filesystem::path file_;
};

// A new file with mode 0600. Throws std::system_error.
void create_empty(const std::filesystem::path& file);

// Copies in slices. Between slices the ledger can be read and written; the copy includes what is written meanwhile.
class BackupCopy {
  public:
    // Creates the file with mode 0600. It must not exist.
    explicit BackupCopy(Ledger& ledger, const std::filesystem::path& file);
    BackupCopy(const BackupCopy&) = delete;
    BackupCopy& operator=(const BackupCopy&) = delete;
    ~BackupCopy();
    // Copies at most `pages` more pages of 8 KiB, outside a transaction. True: the copy is complete.
    [[nodiscard]] bool copy(int pages);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

// The newest entry of the audit trail.
struct AuditEnd {
    std::int64_t seq = 0;
    std::string head;
};
[[nodiscard]] AuditEnd audit_end(const Ledger& ledger);

struct CopyInspection {
    std::vector<InvariantResult> results;
    std::vector<reconciliation::KnownExport> exports;  // for a comparison with the manifests
};
// Opens the copy and checks every invariant. `copied_at` is the end of the ledger's audit trail when the copy was
// completed. It touches no ledger in use and may take minutes, so it can run on another thread. Errors: the copy cannot
// be opened; `stop` was requested (cancelled).
[[nodiscard]] Result<CopyInspection> inspect_copy(const std::filesystem::path& file, const AuditEnd& copied_at,
                                                  Instant now, const std::optional<SealingKey>& key = std::nullopt,
                                                  const std::stop_token& stop = {});

// Checks every invariant of what a standby of the server has; nothing is copied. `end`: the end of the audit trail
// there.
[[nodiscard]] Result<CopyInspection> inspect_on_read_server(const std::filesystem::path& state_dir,
                                                            const ReadServer& server, const Position& written,
                                                            Instant now, const std::optional<SealingKey>& key,
                                                            const std::stop_token& stop, AuditEnd& end);

struct CopyFacts {
    std::string ledger_id;
    std::string sha256;
    std::int64_t size_bytes = 0;
    std::int64_t audit_seq = 0;  // the newest audit entry in the copy
    std::string audit_head;
    std::vector<InvariantResult> checks;
};
// The same, then syncs the file. Errors name the first violation.
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
// Newest first, older than the backup at this audit entry; 0: from the newest.
[[nodiscard]] std::vector<Backup> backups_before(Ledger& ledger, std::int64_t audit_seq, int limit);
[[nodiscard]] std::int64_t count_backups(Ledger& ledger);
[[nodiscard]] std::optional<Backup> last_backup(Ledger& ledger);
[[nodiscard]] std::optional<Backup> last_scheduled_backup(Ledger& ledger);

// On return the entry of the file in its folder survives power loss.
void sync_folder_of(const std::filesystem::path& file);

}  // namespace drawbridge::ledger
