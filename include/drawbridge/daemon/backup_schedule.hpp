// When the next copy of the ledger is due, and which old ones go. Pure: the same arguments give the same answer.
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
    std::chrono::minutes at;          // local time, from which `every` is counted
};

// A time at which a copy was to be made has passed since the last one (since the ledger was created, where there is
// none). A clock that was set back makes one more.
[[nodiscard]] bool backup_due(const BackupPlan& plan, std::optional<Instant> last, Instant ledger_created_at,
                              Instant now);

// "ledger-20261120T070000Z.db"
[[nodiscard]] std::string backup_name(Instant at);
// Of the names in a folder those of scheduled copies beyond the newest `keep`; nothing else in it is ever named.
[[nodiscard]] std::vector<std::string> outdated_backups(std::vector<std::string> names, int keep);

}  // namespace drawbridge::daemon
