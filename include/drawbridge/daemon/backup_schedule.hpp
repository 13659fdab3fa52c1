// When the next backup of the ledger is due, and which old backups to delete. Pure functions.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "drawbridge/domain/time.hpp"

namespace drawbridge::daemon {

struct BackupPlan {
    TimeZone zone;
    std::chrono::milliseconds every;  // zero: never
    std::chrono::minutes at;          // local time from which `every` counts
};

// True if a scheduled time has passed since the last backup, or since the ledger was created if there is none. A clock
// that is set back causes one extra backup.
[[nodiscard]] bool backup_due(const BackupPlan& plan, std::optional<Instant> last, Instant ledger_created_at,
                              Instant now);

// "ledger-20261120T070000Z.db"
[[nodiscard]] std::string backup_name(Instant at);
// The scheduled backups among `names` beyond the newest `keep`, of which `just_made` is always one, even if the clock
// was wrong. Never returns any other file.
[[nodiscard]] std::vector<std::string> outdated_backups(std::vector<std::string> names, int keep,
                                                        std::string_view just_made);

}  // namespace drawbridge::daemon
