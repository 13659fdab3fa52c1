#include "drawbridge/ledger/store/restore.hpp"

#include <fcntl.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <ranges>
#include <system_error>
#include <utility>
#include <vector>

#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/files/durable_file.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/restorations.hpp"
#include "drawbridge/ledger/store/backups.hpp"
#include "drawbridge/ledger/store/sealing.hpp"
#include "drawbridge/text/show.hpp"
#include "store/connection.hpp"
#include "store/high_water_mark.hpp"
#include "store/state_lock.hpp"

namespace drawbridge::ledger {
namespace {

namespace fs = std::filesystem;

fs::path with_ending(const fs::path& file, std::string_view ending) {
    return fs::path(file.string() + std::string(ending));
}

// The id of the ledger in place; empty: there is none, or it is unreadable, which may be why it is replaced.
std::string id_of(const fs::path& file) {
    std::error_code error;
    if (!fs::exists(file, error)) return {};
    try {
        SQLite::Database db(file.string(), SQLite::OPEN_READONLY);
        SQLite::Statement identity(db, "SELECT ledger_id FROM ledger_identity");
        return identity.executeStep() ? identity.getColumn(0).getString() : std::string();
    } catch (const SQLite::Exception&) {
        return {};
    }
}

// The ledger never planned a payment, so the backup of another ledger may replace it.
bool never_paid(const fs::path& file) {
    try {
        SQLite::Database db(file.string(), SQLite::OPEN_READONLY);
        return !SQLite::Statement(db, "SELECT 1 FROM payment_file").executeStep();
    } catch (const SQLite::Exception&) {
        return false;
    }
}

// The newest audit entry that both ledgers have; 0: none.
std::int64_t newest_shared_entry(SQLite::Database& one, SQLite::Database& other) {
    SQLite::Statement entries(one, "SELECT seq, hash FROM audit ORDER BY seq DESC");
    SQLite::Statement same(other, "SELECT 1 FROM audit WHERE seq = ? AND hash = ?");
    while (entries.executeStep()) {
        same.reset();
        same.bind(1, entries.getColumn(0).getInt64());
        same.bind(2, entries.getColumn(1).getString());
        if (same.executeStep()) return entries.getColumn(0).getInt64();
    }
    return 0;
}

struct LostAct {
    std::string text;    // who did what, as the audit trail has it
    std::string person;  // from whom it took something: a role, a login, a passkey, or everything; empty: from nobody
};
// What the replaced ledger knows and the backup does not.
struct Lost {
    std::vector<LostAct> acts;                                    // newest first
    std::vector<std::pair<std::string, std::string>> unresolved;  // subject and detail of what earlier restores found
    std::string unreadable;  // why the replaced ledger could not be read to its end; empty: it could, or is gone
};

constexpr const char* acts_since = R"sql(
    SELECT actor || ': ' || action || ' ' || subject || ', ' || detail,
        CASE WHEN action = 'passkey.locked' OR (action IN ('person.changed', 'person.change_confirmed')
            AND (detail LIKE 'lock%' OR detail LIKE 'revoke%' OR detail LIKE 'unlink%' OR detail LIKE 'change %, lock,%'
                OR detail LIKE 'change %, revoke %' OR detail LIKE 'change %, unlink %'))
            THEN (SELECT name FROM person WHERE person_id = CAST(substr(subject, 8) AS INTEGER)) END
    FROM audit
    WHERE seq > ? AND actor <> 'drawbridge' AND action <> 'person.added'
        AND (action LIKE 'person.%' OR action LIKE 'passkey.%' OR action LIKE 'change.%' OR action LIKE 'check.%'
            OR action IN ('payment.voided', 'file.voided', 'exception.resolution_undone'))
    ORDER BY seq DESC)sql";

Lost find_lost(const fs::path& replaced, const fs::path& backup) {
    Lost lost;
    std::error_code error;
    if (!fs::exists(replaced, error)) return lost;
    try {
        SQLite::Database db(replaced.string(), SQLite::OPEN_READONLY);
        SQLite::Database copy(backup.string(), SQLite::OPEN_READONLY);
        SQLite::Statement acts(db, acts_since);
        acts.bind(1, newest_shared_entry(db, copy));
        while (acts.executeStep())
            lost.acts.push_back({acts.getColumn(0).getString(), acts.getColumn(1).getString()});
        SQLite::Statement before(
            db, "SELECT subject, detail FROM exception WHERE reason_code = 'acts_lost' AND closed_at IS NULL");
        while (before.executeStep())
            lost.unresolved.emplace_back(before.getColumn(0).getString(), before.getColumn(1).getString());
    } catch (const SQLite::Exception& error) {
        lost.unreadable = error.what();
    }
    return lost;
}

// One exception about each person from whom an act took something, whom another person must resolve, one about all
// other acts, and one about those that could not be read. An earlier restore's stay as they are.
void raise_acts_lost(Ledger& ledger, const Lost& lost, const std::string& set_aside, const Stamp& stamp) {
    const auto raise = [&](const std::string& subject, const std::string& detail) {
        raise_exception(ledger, {"pay", "acts_lost", std::nullopt, std::nullopt, subject, detail}, stamp);
    };
    for (const auto& [subject, detail] : lost.unresolved)
        raise(subject, detail);
    std::map<std::string, std::vector<std::string>> by_person;
    for (const auto& act : lost.acts)
        by_person[act.person].push_back(act.text);
    constexpr std::size_t max_shown = 200;
    for (const auto& [person, acts] : by_person) {
        const auto more = std::ssize(acts) - static_cast<std::int64_t>(max_shown);
        raise(set_aside + (person.empty() ? "" : ": " + person),
              fmt::format("the audit trail of {} has {} of people that this ledger lacks: {}{}", set_aside,
                          text::counted(std::ssize(acts), "act"), fmt::join(acts | std::views::take(max_shown), "; "),
                          more > 0 ? fmt::format("; and {} more", text::grouped(more)) : ""));
    }
    if (lost.unreadable.empty()) return;
    raise(set_aside + " (unreadable)",
          fmt::format("{} cannot be read to its end ({}), so this ledger may lack acts of people that no exception "
                      "lists: find out what they did since the backup, from the journal and from them",
                      set_aside, lost.unreadable));
}

// Migrates the copy of the backup to this program's schema and marks it as restored.
Result<void> prepare(const fs::path& file, std::string_view detail, const Lost& lost, const fs::path& set_aside,
                     const std::optional<SealingKey>& key, const Stamp& stamp) {
    auto copy = Ledger::open_copy(file, stamp.at, key);
    if (!copy) return std::unexpected(copy.error());
    copy->transaction([&] {
        record_place_of(*copy, file, stamp.at);
        begin_restoration(*copy, RestoredHow::restored, detail, stamp);
        raise_acts_lost(*copy, lost, set_aside.filename().string(), stamp);
    });
    return {};
}

bool has_a_file(const fs::path& ledger) {
    return std::ranges::any_of(ledger_file_endings,
                               [&](auto ending) { return fs::exists(with_ending(ledger, ending)); });
}

// The first free name for a ledger that is set aside: ledger-set-aside-20261120T141502Z.db, then …Z-2.db.
fs::path free_name(const fs::path& state_dir, Instant at) {
    const std::string stem = "ledger-set-aside-" + format_compact_instant(at);
    fs::path name = state_dir / (stem + ".db");
    for (int number = 2; has_a_file(name); ++number)
        name = state_dir / (stem + "-" + std::to_string(number) + ".db");
    return name;
}

void move_ledger(const fs::path& from, const fs::path& to) {
    for (const auto ending : ledger_file_endings)
        if (fs::exists(with_ending(from, ending))) fs::rename(with_ending(from, ending), with_ending(to, ending));
}

// The ledger that the backup replaces: the one in place, or the one that an interrupted restore had set aside, of which
// some files may not have been moved yet.
fs::path replaced_ledger(const fs::path& state_dir, Instant at) {
    const auto in_place = state_dir / "ledger.db";
    std::ifstream announced(state_dir / restoring_name);
    std::string begun, name;
    if (!std::getline(announced, begun) || !std::getline(announced, name) || name.empty()) return in_place;
    const auto aside = state_dir / fs::path(name).filename();
    if (!fs::exists(aside) || !id_of(in_place).empty()) return in_place;
    // An empty file, which opening it with sqlite3 leaves.
    if (fs::exists(in_place)) fs::rename(in_place, free_name(state_dir, at));
    move_ledger(in_place, aside);
    return aside;
}

void put_in_place(const fs::path& state_dir, const fs::path& copy, Instant at, const fs::path& set_aside) {
    const auto announced = state_dir / restoring_name;
    constexpr mode_t mode = 0640;
    files::replace_durably(announced, format_instant(at) + "\n" + set_aside.filename().string() + "\n", mode);
    crash_point("keep.restore_begun");
    const auto in_place = state_dir / "ledger.db";
    // Also what is left of a ledger that somebody moved: SQLite would apply its -wal to the backup.
    move_ledger(in_place, set_aside);
    files::sync_folder(state_dir);
    crash_point("keep.restore_set_aside");
    fs::rename(copy, in_place);
    files::sync_folder(state_dir);
    crash_point("keep.restore_placed");
    fs::remove(announced);
    files::sync_folder(state_dir);
}

}  // namespace

Result<Restored> restore(const fs::path& state_dir, const fs::path& backup, std::string_view reason,
                         const std::optional<SealingKey>& key, const Stamp& stamp,
                         const std::function<void()>& once_open) {
    std::error_code error;
    if (!fs::is_regular_file(backup, error)) {
        return fail(ErrorCode::not_found, backup.string() + ": there is no such file");
    }
    if (fs::equivalent(backup, state_dir / "ledger.db", error)) {
        return fail(ErrorCode::conflict,
                    backup.string() + ": this is the ledger itself: name a backup ('drawbridge backup --list')");
    }
    const auto from = files::open_file(backup, O_RDONLY);
    once_open();
    auto lock = StateLock::take(state_dir);
    if (!lock) return std::unexpected(lock.error());
    const PartialFile partial(state_dir / "ledger.restored.tmp");
    const auto& copy = partial.path();
    files::copy_durably(from, backup, copy);
    Restored restored;
    restored.sha256 = files::digest_of(copy).sha256;
    const auto replaced = replaced_ledger(state_dir, stamp.at);
    const auto present = id_of(replaced);
    const auto offered = id_of(copy);
    if (!present.empty() && !offered.empty() && present != offered && !never_paid(replaced)) {
        return fail(ErrorCode::conflict, backup.string() + ": it is a backup of ledger " + offered.substr(0, 12) +
                                             ", and " + state_dir.string() + " holds ledger " + present.substr(0, 12) +
                                             ", which planned payments: name a backup of this one");
    }
    const auto facts = verify_copy(copy, stamp.at, key);
    if (!facts && facts.error().code == ErrorCode::unauthorized) {
        const bool is_missing = !key && !fs::exists(state_dir / default_sealing_key_name, error);
        const std::string why =
            is_missing ? state_dir.string() + " has no " + std::string(default_sealing_key_name) +
                             ", with which account numbers in the backup are sealed: place the key that was in use "
                             "when the backup was made there"
                       : "account numbers in it are sealed with another key than the configured one or the one in "
                         "the state folder: name the key that was in use when the backup was made with "
                         "ledger.sealing_key_file";
        return fail(ErrorCode::unauthorized,
                    backup.string() + ": not restored, nothing was changed: " + why + ", and restore again");
    }
    if (!facts) {
        return fail(facts.error().code, backup.string() + ": not restored: " + facts.error().message);
    }
    restored.audit_seq = facts->audit_seq;
    if (!present.empty() && present != offered) restored.other_ledger = present;
    const std::string detail =
        backup.string() + " (" + std::to_string(facts->audit_seq) + " entries in its audit trail) was put in place" +
        (restored.other_ledger.empty() ? ""
                                       : " of ledger " + present.substr(0, 12) + ", which never planned a payment") +
        ": " + std::string(reason);
    const auto lost = find_lost(replaced, copy);
    for (const auto& act : lost.acts)
        restored.lost_acts.push_back(act.text);
    restored.unreadable = lost.unreadable;
    if (has_a_file(replaced))
        restored.set_aside = replaced.filename() == "ledger.db" ? free_name(state_dir, stamp.at) : replaced;
    if (auto prepared = prepare(copy, detail, lost, restored.set_aside, key, stamp); !prepared)
        return std::unexpected(prepared.error());
    files::sync_file(copy);
    put_in_place(state_dir, copy, stamp.at, restored.set_aside);
    return restored;
}

}  // namespace drawbridge::ledger
