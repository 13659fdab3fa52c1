// The writers of this machine: each process that may move money locks its ledger and its claims, in one folder that all
// instances share.
//
// The folder is $DRAWBRIDGE_WRITERS; or /run/drawbridge-writers from the package, if this user can write to it; or
// drawbridge-writers in $XDG_RUNTIME_DIR, or drawbridge-writers-UID in /tmp, private to this user. A systemd service
// uses none of these two.
#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "drawbridge/config/claims.hpp"
#include "drawbridge/domain/error.hpp"
#include "drawbridge/files/file_descriptor.hpp"

namespace drawbridge::app {

class WriterLock {
  public:
    // Errors: conflict: another running or still configured instance claims the same, or uses the same ledger;
    // unavailable: the folder cannot be used.
    [[nodiscard]] static Result<WriterLock> take(const config::Claims& claims, const std::string& ledger_id);

  private:
    explicit WriterLock(files::FileDescriptor file) : file_(std::move(file)) {}
    files::FileDescriptor file_;  // locked until it is closed
};

// Error: a configuration next to that of `ours` claims the same.
[[nodiscard]] Result<void> check_siblings(const config::Claims& ours);

}  // namespace drawbridge::app
