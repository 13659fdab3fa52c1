// A whole ledger, copied row by row between a file and a PostgreSQL database: the way in, the way out, and a backup
// that needs no server. Both have the same rows, audit trail and digests; nothing is rewritten. The copy is
// checked against every invariant before it counts. It never writes what it copies from.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "drawbridge/ledger/store/backups.hpp"
#include "drawbridge/ledger/store/engine.hpp"
#include "drawbridge/ledger/store/ledger.hpp"

namespace drawbridge::ledger {

// What a ledger in PostgreSQL held between two transactions, through a connection of its own. The ledger may be written
// meanwhile, and write() may run on another thread.
class Snapshot {
  public:
    explicit Snapshot(Ledger& ledger);
    Snapshot(const Snapshot&) = delete;
    Snapshot& operator=(const Snapshot&) = delete;
    ~Snapshot();
    [[nodiscard]] const AuditEnd& end() const;
    // Into a file of create_empty().
    void write(const std::filesystem::path& file) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

// From PostgreSQL into a new file, in one snapshot. Errors: the file exists; the copy violates an invariant.
[[nodiscard]] Result<CopyFacts> copy_to_file(Ledger& from, const std::filesystem::path& file, Instant now,
                                             const std::optional<SealingKey>& key);

// From a file into a schema that has no ledger yet, in one transaction. Opened in a state folder, the copy is not
// the ledger that was used there last, so it begins paused. Errors: there is a ledger already; the file
// violates an invariant, or belongs to another key (unauthorized).
[[nodiscard]] Result<CopyFacts> copy_from_file(const std::filesystem::path& file,
                                               const std::filesystem::path& state_dir, const PostgresqlAddress& to,
                                               Instant now, const std::optional<SealingKey>& key);

}  // namespace drawbridge::ledger
