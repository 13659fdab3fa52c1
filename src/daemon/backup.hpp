// Makes copies of the ledger: when a person asks, and on the schedule. Private to this module.
//
// It never writes over a file, and removes nothing but scheduled copies that are older than those to be kept.
#pragma once

#include <filesystem>
#include <string>

#include "application.hpp"
#include "drawbridge/ledger/backups.hpp"

namespace drawbridge::daemon {

struct BackupOrder {
    std::filesystem::path file;  // empty: a name of its own in the configured folder
    ledger::Stamp by;
    bool scheduled = false;
};
// The copy is whole, verified, durable and recorded when this is done. The ledger may be used meanwhile.
[[nodiscard]] asio::awaitable<Result<ledger::Backup>> make_backup(Application& app, BackupOrder order);

// Makes the scheduled copy if it is due, and removes the outdated ones. A failure is an exception case, backup_failed.
// nullopt: it was not due.
[[nodiscard]] asio::awaitable<std::optional<Result<ledger::Backup>>> make_due_backup(Application& app);

}  // namespace drawbridge::daemon
