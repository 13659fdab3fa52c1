// The writers of this machine: each process that may move money holds a lock on its ledger and its claims, in one
// folder that all instances share, wherever their configurations lie.
//
// The folder: $DRAWBRIDGE_WRITERS; else /run/drawbridge-writers, which the package makes, where this user may write
// there; else drawbridge-writers in $XDG_RUNTIME_DIR, or drawbridge-writers-UID in /tmp, of this user alone.
#pragma once

#include <filesystem>
#include <string>

#include "drawbridge/config/claims.hpp"
#include "drawbridge/domain/error.hpp"

namespace drawbridge::daemon {

class WriterLock {
  public:
    // Errors: conflict: another writer claims the same, or did on this machine and is still configured, or has this
    // very ledger; unavailable: the folder cannot be used.
    [[nodiscard]] static Result<WriterLock> take(const config::Claims& claims, const std::string& ledger_id);

    WriterLock(WriterLock&& other) noexcept;
    WriterLock& operator=(WriterLock&& other) noexcept;
    ~WriterLock();

  private:
    explicit WriterLock(int fd) : fd_(fd) {}
    int fd_ = -1;
};

// No configuration beside this one claims the same.
[[nodiscard]] Result<void> check_siblings(const std::filesystem::path& config_file);

}  // namespace drawbridge::daemon
