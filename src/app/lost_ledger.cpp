#include "lost_ledger.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "drawbridge/config/inputs.hpp"
#include "drawbridge/ledger/facts/runs.hpp"

namespace drawbridge::app {
namespace {

namespace fs = std::filesystem;
using disbursement::NumberRange;

// Another office that shares the folder may have ranges of its own: a number from there would exhaust ours.
void keep_within(NumberRange range, std::int64_t& next) {
    if (next < range.from || next > range.to + 1) next = 1;
}

void keep_within(const disbursement::NumberRanges& ranges, reconciliation::NextNumbers& next) {
    keep_within(ranges.payment, next.payment_id);
    keep_within(ranges.trace, next.trace_sequence);
    keep_within(ranges.check, next.check_number);
    keep_within(ranges.file, next.file_sequence);
}

}  // namespace

std::vector<BackupFound> backups_in(const fs::path& folder) {
    std::vector<BackupFound> found;
    for (auto& file : ledger::possible_backups(folder)) {
        auto position = ledger::position_of_backup(file);
        if (position || file.filename().string().starts_with("ledger-"))
            found.push_back({std::move(file), std::move(position)});
    }
    std::ranges::sort(found, std::ranges::greater{},
                      [](const BackupFound& one) { return one.position ? one.position->audit_seq : 0; });
    return found;
}

void begin_after_lost_ledger(ledger::Ledger& ledger, const config::Config& config, Instant now) {
    if (!ledger::last_runs(ledger).empty()) return;
    auto backups = backups_in(config.backup.folder);
    const bool is_restored = ledger::open_restoration(ledger).has_value();
    std::erase_if(backups, [&](const BackupFound& one) {
        return one.position ? ledger::knows_position(ledger, *one.position) : is_restored;
    });
    if (backups.empty()) return;
    const ledger::Stamp stamp{now, "drawbridge"};
    const auto ranges = config::plan_settings(config).numbers;
    ledger.transaction([&] {
        // Files in spool/outgoing may have begun one; then this adds only the numbers.
        ledger::begin_restoration(
            ledger, ledger::RestoredHow::copied,
            "it is new and empty, but backup.folder has " + backups.front().file.string() +
                ", a backup of another ledger; if that was the ledger of this office, stop the daemon and restore the "
                "backup; if it is another office's, give each its own backup.folder",
            stamp);
        const auto restoration = ledger::open_restoration(ledger);
        for (auto& [file, position] : backups) {
            if (!position || ledger::knows_position(ledger, *position)) continue;  // a copy of the one before
            keep_within(ranges, position->next);
            ledger::record_lost_position(ledger, *restoration, "the backup " + file.string(), *position, stamp);
        }
    });
    ledger::write_high_water_mark(ledger);
}

}  // namespace drawbridge::app
