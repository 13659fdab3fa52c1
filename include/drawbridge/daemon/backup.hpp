// Makes backups of the ledger, on request and on schedule.
//
// It never overwrites a file, and removes only outdated scheduled backups.
#pragma once

#include <filesystem>
#include <string>

#include "drawbridge/daemon/application.hpp"
#include "drawbridge/ledger/store/backups.hpp"

namespace drawbridge::daemon {

struct BackupOrder {
    std::filesystem::path file;  // empty: a new name in backup.folder
    ledger::Stamp by;
    bool scheduled = false;
};
// On return the backup is complete, verified, durable and recorded. The ledger stays usable meanwhile.
[[nodiscard]] asio::awaitable<Result<ledger::Backup>> make_backup(Application& app, BackupOrder order);

// Makes the scheduled backup if it is due, and removes outdated ones. A failure raises the exception backup_failed.
// nullopt: not due.
[[nodiscard]] asio::awaitable<std::optional<Result<ledger::Backup>>> make_due_backup(Application& app);

}  // namespace drawbridge::daemon
