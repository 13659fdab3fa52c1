#include "drawbridge/daemon/backup_schedule.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string_view>

#include "drawbridge/domain/ascii.hpp"

namespace drawbridge::daemon {
namespace {

using std::chrono::milliseconds;

// The index of the interval of length `every` that contains the local time.
std::int64_t slot(const BackupPlan& plan, Instant at) {
    const auto local = at.time_since_epoch() + plan.zone.to_local(at).utc_offset - plan.at;
    return std::chrono::floor<milliseconds>(local).count() / plan.every.count();
}

// Matches the format of backup_name(), so that a person's own files are never treated as backups.
bool is_backup_name(std::string_view name) {
    constexpr std::string_view shape = "ledger-########T######Z.db";
    if (name.size() != shape.size()) return false;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const bool fits = shape[i] == '#' ? is_digit(name[i]) : name[i] == shape[i];
        if (!fits) return false;
    }
    return true;
}

}  // namespace

bool backup_due(const BackupPlan& plan, std::optional<Instant> last, Instant ledger_created_at, Instant now) {
    if (plan.every.count() == 0) return false;
    return slot(plan, now) != slot(plan, last.value_or(ledger_created_at));
}

std::string backup_name(Instant at) {
    return "ledger-" + format_compact_instant(at) + ".db";
}

std::vector<std::string> outdated_backups(std::vector<std::string> names, int keep, std::string_view just_made) {
    std::erase_if(names, [&](const std::string& name) { return !is_backup_name(name) || name == just_made; });
    std::ranges::sort(names, std::greater<>());
    const auto kept = std::min(names.size(), static_cast<std::size_t>(std::max(keep, 1) - 1));
    names.erase(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(kept));
    return names;
}

}  // namespace drawbridge::daemon
