// A new ledger, although backup.folder has backups of another one: the office may have lost that one with its whole
// state folder, and the new one would pay its draws again. Private to this module.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "drawbridge/config/config.hpp"
#include "drawbridge/ledger/store/traces.hpp"

namespace drawbridge::app {

struct BackupFound {
    std::filesystem::path file;
    std::optional<ledger::HighWaterMark> position;  // nullopt: it has a backup's name and cannot be read
};
// The newest first.
[[nodiscard]] std::vector<BackupFound> backups_in(const std::filesystem::path& folder);

// If nothing ran yet with this ledger and there are such backups: begins a restoration, which pauses all movement of
// money, and uses up the numbers of those backups that lie in the office's ranges.
void begin_after_lost_ledger(ledger::Ledger& ledger, const config::Config& config, Instant now);

}  // namespace drawbridge::app
