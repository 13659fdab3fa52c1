#include "drawbridge/daemon/archiving.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "aside.hpp"
#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/ledger/facts/archive.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/spool/archive.hpp"
#include "drawbridge/text/show.hpp"

namespace drawbridge::daemon {
namespace {

using spool::FileFacts;
using spool::StoredFile;
using spool::StoredFiles;

constexpr std::size_t max_files = 32;
constexpr std::uint64_t max_bytes = 64ULL << 20;
constexpr std::size_t max_listed = 100;

std::string archive_folder(const Application& app) {
    return (app.config.state_dir / "spool" / "archive").string();
}

spool::Archive archive_of(Application& app) {
    return {app.config.state_dir, ledger::archive_keys(app.ledger)};
}

asio::awaitable<Result<StoredFiles>> stored_files(Application& app) {
    AsideWork<StoredFiles> work = [archive = archive_of(app)](const std::stop_token&) -> Result<StoredFiles> {
        return archive.list();
    };
    auto files = co_await in_a_thread(std::move(work), archive_folder(app));
    co_return files;
}

using Rows = std::map<std::string, ledger::ArchivedFile>;

// The work of one run, at most one slice.
struct Plan {
    std::vector<std::string> to_seal;    // or to finish: a crash left both forms
    std::vector<std::string> to_delete;  // the deletion is recorded first
    std::vector<std::string> to_remove;  // recorded as deleted, but still present
    bool is_more = false;
};

// The second newest day before today on which Drawbridge ran, if it was not long ago. A file that was due then stayed
// so on two days: one start with a wrong clock deletes nothing.
std::optional<Instant> day_before_last(Application& app) {
    constexpr int days_back = 14, runs_wanted = 2;
    const auto& zone = app.config.pay.timezone;
    std::chrono::sys_days day(zone.date_of(app.clock.now()));
    for (int back = 0, found = 0; back < days_back; ++back) {
        day -= std::chrono::days(1);
        const bool ran = ledger::newest_run(app.ledger, zone, day) != 0;
        if (ran && ++found == runs_wanted) return zone.to_instant(day, std::chrono::minutes(0));
    }
    return std::nullopt;
}

class Planner {
  public:
    Planner(Application& app, const Rows& rows) : app_(app), rows_(rows) {
        const auto& [seal_after, delete_after] = app.config.archive;
        const auto& zone = app.config.pay.timezone;
        if (seal_after) seal_until_ = zone.date_of(app.clock.now() - *seal_after);
        if (!delete_after) return;
        if (const auto then = day_before_last(app)) delete_until_ = zone.date_of(*then - *delete_after);
    }

    void add(const std::string& path, const StoredFile& file) {
        if (plan_.is_more || app_.left_plain.contains(path)) return;
        const auto row = rows_.find(path);
        const bool is_known = row != rows_.end();
        if (is_known && row->second.deleted_at) return take(plan_.to_remove, path, 0);
        const bool is_due = seal_until_ && file.day <= *seal_until_;
        const bool was_begun = file.is_sealed && (file.is_plain || !is_known);
        if (was_begun || (file.is_plain && (is_due || is_known))) return take(plan_.to_seal, path, file.size);
        if (!is_known || !delete_until_ || file.day > *delete_until_) return;
        if (ledger::may_be_deleted(app_.ledger, row->second.sha256)) take(plan_.to_delete, path, 0);
    }
    [[nodiscard]] Plan take() { return std::move(plan_); }

  private:
    void take(std::vector<std::string>& into, const std::string& path, std::uint64_t size) {
        into.push_back(path);
        size_ += size;
        plan_.is_more = ++files_ >= max_files || size_ >= max_bytes;
    }

    Application& app_;
    const Rows& rows_;
    std::optional<BusinessDate> seal_until_, delete_until_;
    Plan plan_;
    std::size_t files_ = 0;
    std::uint64_t size_ = 0;
};

struct Sealed {
    std::string path;
    FileFacts facts;
    bool had_plain = false;
};
struct SealedSlice {
    std::vector<Sealed> sealed;
    std::vector<std::string> unknown;                           // paths
    std::vector<std::pair<std::string, std::string>> problems;  // of a path
};

using Known = std::map<std::string, ledger::KnownBytes>;

void seal_one(const spool::Archive& archive, const std::string& path, const Known& known, SealedSlice& slice) {
    const auto plain = archive.plain_facts(path);
    if (plain && !known.contains(plain->sha256)) return slice.unknown.push_back(path);
    const auto facts = plain ? archive.seal(path) : archive.sealed_facts(path);
    if (facts) {
        slice.sealed.push_back({path, *facts, plain.has_value()});
    } else if (facts.error().code != ErrorCode::not_found) {
        slice.problems.emplace_back(path, facts.error().message);
    }
}

asio::awaitable<Result<SealedSlice>> seal_aside(Application& app, std::vector<std::string> paths) {
    AsideWork<SealedSlice> work = [archive = archive_of(app), known = ledger::known_bytes(app.ledger),
                                   paths = std::move(paths)](const std::stop_token& stop) -> Result<SealedSlice> {
        SealedSlice slice;
        for (const auto& path : paths) {
            if (stop.stop_requested()) break;
            seal_one(archive, path, known, slice);
        }
        return slice;
    };
    auto slice = co_await in_a_thread(std::move(work), archive_folder(app));
    co_return slice;
}

// Returns the paths whose plain form may be removed.
std::vector<std::string> record(Application& app, const SealedSlice& slice, const Rows& rows, ArchiveWork& done) {
    std::vector<std::string> recorded;
    const auto stamp = app.context->stamp();
    app.ledger.transaction([&] {
        for (const auto& [path, facts, had_plain] : slice.sealed) {
            const auto row = rows.find(path);
            if (row != rows.end() && row->second.sha256 != facts.sha256) {
                done.problems.push_back(path +
                                        ": not the file that was sealed under this name: run `drawbridge verify`");
                app.left_plain.insert(path);
                continue;
            }
            if (had_plain) recorded.push_back(path);
            ++(had_plain ? done.sealed : done.found_sealed);
            if (row != rows.end()) continue;
            const auto size = static_cast<std::int64_t>(facts.size);
            ledger::record_sealed(app.ledger, path, {facts.sha256, size, stamp.at, std::nullopt}, !had_plain, stamp);
        }
    });
    for (const auto& [path, problem] : slice.problems) {
        done.problems.push_back(problem);
        app.left_plain.insert(path);
    }
    app.left_plain.insert(slice.unknown.begin(), slice.unknown.end());
    return recorded;
}

void record_deletions(Application& app, const std::vector<std::string>& paths) {
    const auto stamp = app.context->stamp();
    const auto why = fmt::format("older than archive.delete_after ({} days)",
                                 std::chrono::floor<std::chrono::days>(*app.config.archive.delete_after).count());
    app.ledger.transaction([&] {
        for (const auto& path : paths)
            ledger::record_deleted(app.ledger, path, why, stamp);
    });
    crash_point("archive.deletion_committed");
}

struct Removal {
    std::vector<std::string> plain, whole;
};

asio::awaitable<Result<bool>> remove_aside(Application& app, Removal removal) {
    AsideWork<bool> work = [archive = archive_of(app),
                            removal = std::move(removal)](const std::stop_token&) -> Result<bool> {
        for (const auto& path : removal.plain)
            archive.remove_plain(path);
        for (const auto& path : removal.whole)
            archive.remove(path);
        return true;
    };
    auto removed = co_await in_a_thread(std::move(work), archive_folder(app));
    co_return removed;
}

// Compares the folders with the ledger.
ledger::InvariantResult compare(const Known& known, const Rows& rows, const spool::ArchiveContent& content) {
    ledger::InvariantResult result;
    const auto add = [&](std::string violation) {
        if (result.violations.size() < max_listed) result.violations.push_back(std::move(violation));
    };
    for (const auto& problem : content.damaged)
        add(problem);
    for (const auto& [path, facts] : content.sealed) {
        const auto row = rows.find(path);
        if (row != rows.end() && row->second.sha256 != facts.sha256)
            add(fmt::format("spool/archive/{}{} is not the file that was sealed there: it was replaced", path,
                            spool::sealed_suffix));
    }
    for (const auto& [sha256, bytes] : known) {
        if (!bytes.must_be_kept) continue;
        ++result.checked;
        if (bytes.is_deleted || content.hashes.contains(sha256)) continue;
        add(
            fmt::format("{} is neither in the archive nor in quarantine, byte for byte, nor recorded as deleted "
                        "(sha256 {})",
                        bytes.what, sha256));
    }
    return result;
}

}  // namespace

void ArchiveWork::add(ArchiveWork slice) {
    sealed += slice.sealed;
    found_sealed += slice.found_sealed;
    deleted += slice.deleted;
    is_more = slice.is_more;
    std::ranges::move(slice.problems, std::back_inserter(problems));
}

std::string ArchiveWork::summary() const {
    std::string text = text::counted(sealed, "file") + " sealed";
    if (found_sealed > 0) text += fmt::format(", {} found sealed by a newer copy of the ledger", found_sealed);
    if (deleted > 0) text += fmt::format(", {} deleted by archive.delete_after", deleted);
    return text;
}

asio::awaitable<Result<ArchiveWork>> keep_archive(Application& app) {
    ArchiveWork done;
    if (app.archive_in_use) co_return done;
    const Busy busy(app.archive_in_use);
    const auto files = co_await stored_files(app);
    if (!files) co_return std::unexpected(files.error());
    const auto rows = ledger::archived_files(app.ledger);
    Planner planner(app, rows);
    for (const auto& [path, file] : *files)
        planner.add(path, file);
    Plan plan = planner.take();
    done.is_more = plan.is_more;
    Removal removal{{}, std::move(plan.to_remove)};
    if (!plan.to_seal.empty()) {
        const auto slice = co_await seal_aside(app, std::move(plan.to_seal));
        if (!slice) co_return std::unexpected(slice.error());
        removal.plain = record(app, *slice, rows, done);
        crash_point("archive.sealed_committed");
    }
    if (!plan.to_delete.empty()) {
        record_deletions(app, plan.to_delete);
        done.deleted = static_cast<std::int64_t>(plan.to_delete.size());
        std::ranges::move(plan.to_delete, std::back_inserter(removal.whole));
    }
    if (!removal.plain.empty() || !removal.whole.empty()) {
        const auto removed = co_await remove_aside(app, std::move(removal));
        if (!removed) co_return std::unexpected(removed.error());
    }
    co_return done;
}

asio::awaitable<Result<void>> add_archive_check(Application& app, std::vector<ledger::InvariantResult>& results) {
    constexpr std::chrono::milliseconds look_again{20};
    constexpr int number = 7;
    while (app.archive_in_use)
        co_await pause_for(look_again);
    const Busy busy(app.archive_in_use);
    AsideWork<ledger::InvariantResult> work =
        [archive = archive_of(app), known = ledger::known_bytes(app.ledger),
         rows = ledger::archived_files(app.ledger)](const std::stop_token& stop) -> Result<ledger::InvariantResult> {
        std::int64_t largest = 0;
        for (const auto& [sha256, bytes] : known)
            largest = std::max(largest, bytes.size_bytes);
        const auto content = archive.read_all(static_cast<std::uint64_t>(largest), stop);
        if (!content) return fail(ErrorCode::cancelled, "the check of the archive was canceled");
        return compare(known, rows, *content);
    };
    auto found = co_await in_a_thread(std::move(work), archive_folder(app));
    if (!found) co_return std::unexpected(found.error());
    auto& result = *std::ranges::find(results, number, &ledger::InvariantResult::number);
    result.checked += found->checked;
    std::ranges::move(found->violations, std::back_inserter(result.violations));
    co_return Result<void>();
}

asio::awaitable<Result<std::vector<admin::ArchiveEntry>>> list_archive(Application& app) {
    auto files = co_await stored_files(app);
    if (!files) co_return std::unexpected(files.error());
    std::map<std::string, admin::ArchiveEntry> entries;
    for (const auto& [path, file] : *files)
        entries[path] = {path, file.is_plain ? "plain" : "sealed", "", static_cast<std::int64_t>(file.size), {}, {}};
    for (const auto& [path, row] : ledger::archived_files(app.ledger)) {
        auto& entry = entries[path];
        const std::string state = row.deleted_at ? "deleted" : entry.path.empty() ? "missing" : entry.state;
        entry = {path, state, row.sha256, row.size_bytes, row.sealed_at, row.deleted_at};
    }
    std::vector<admin::ArchiveEntry> list;
    list.reserve(entries.size());
    for (auto& [path, entry] : entries)
        list.push_back(std::move(entry));
    co_return Result<std::vector<admin::ArchiveEntry>>(std::move(list));
}

asio::awaitable<Result<std::string>> read_archived(Application& app, std::string path, std::uint64_t offset,
                                                   std::size_t most) {
    AsideWork<std::string> work = [archive = archive_of(app), path = std::move(path), offset,
                                   most](const std::stop_token&) { return archive.read(path, offset, most); };
    auto bytes = co_await in_a_thread(std::move(work), archive_folder(app));
    co_return bytes;
}

}  // namespace drawbridge::daemon
