#include "drawbridge/daemon/backup.hpp"

#include <algorithm>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <fstream>
#include <set>
#include <system_error>
#include <utility>

#include "aside.hpp"
#include "drawbridge/daemon/archiving.hpp"
#include "drawbridge/daemon/backup_schedule.hpp"
#include "drawbridge/daemon/private_tmp.hpp"
#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/invariant_checks.hpp"
#include "ledger_copy.hpp"

namespace drawbridge::daemon {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view subject = "backup";

bool is_below(const fs::path& file, const fs::path& folder) {
    return std::ranges::mismatch(folder, file).in1 == folder.end();
}

// The file without symbolic links. In the state folder it would pass for a payment file, a manifest or a bank's file,
// so only the folder for backups takes one there.
Result<fs::path> outside_state(const Application& app, const fs::path& file) {
    std::error_code error;
    const auto parent = fs::canonical(file.parent_path(), error);
    if (error) {
        return fail(ErrorCode::unavailable,
                    file.string() + ": " + error.message() + ": name a folder that the daemon's user can write to");
    }
    const auto& backups = app.config.backup.folder;
    if (is_below(parent, fs::canonical(app.config.state_dir)) && !is_below(parent, fs::weakly_canonical(backups))) {
        return fail(ErrorCode::invalid_input,
                    file.string() + " is in the state folder: name a file elsewhere, or in " + backups.string());
    }
    return parent / file.filename();
}

Result<fs::path> backup_path(Application& app, const BackupOrder& order, Instant now) {
    std::error_code error;
    if (order.file.empty()) {
        const auto& folder = app.config.backup.folder;
        if (fs::create_directories(folder, error); error) {
            return fail(ErrorCode::unavailable, folder.string() + ": cannot create the folder for backups: " +
                                                    error.message() + ": see backup.folder");
        }
        fs::permissions(folder, fs::perms::group_all | fs::perms::others_all, fs::perm_options::remove, error);
        return folder / backup_name(now);
    }
    if (!order.file.is_absolute()) return fail(ErrorCode::invalid_input, "name the backup with an absolute path");
    return outside_state(app, order.file);
}

Result<void> check_free(const fs::path& file) {
    std::error_code error;
    if (!fs::exists(fs::symlink_status(file, error))) return {};
    return fail(ErrorCode::conflict, file.string() + " already exists and is not overwritten: name another file");
}

Result<void> check_lasts(const Application& app, const fs::path& file) {
    std::ifstream mounts("/proc/self/mountinfo");
    if (!is_in_private_tmp(fs::weakly_canonical(file.parent_path()), mounts)) return {};
    const auto& backups = app.config.backup.folder;
    return fail(ErrorCode::invalid_input,
                file.string() +
                    ": systemd gives the daemon a /tmp of its own, which is removed when it stops: name a file " +
                    (is_below(file, backups) ? "elsewhere" : "in " + backups.string()));
}

std::string remedy(const std::error_code& error, const fs::path& file) {
    if (error != std::errc::read_only_file_system) return "the daemon's user must be able to write there";
    return "the disk is read-only, or the service's unit does not name this folder: `systemctl edit` the unit, add "
           "ReadWritePaths=" +
           file.parent_path().string() + " below [Service], and restart it";
}

asio::awaitable<Result<ledger::CopyFacts>> copy_and_verify(Application& app, fs::path file) {
    const auto key = sealing_key(app.config);
    if (!key) co_return std::unexpected(key.error());
    (void)co_await copy_ledger(app, file);
    crash_point("keep.backup_copied");
    AsideWork<ledger::CopyFacts> work = [file, now = app.clock.now(), key = *key](const std::stop_token& stop) {
        return ledger::verify_copy(file, now, key, stop);
    };
    auto facts = co_await in_a_thread(std::move(work), "the copy of the ledger");
    if (!facts) co_return facts;
    if (auto checked = co_await add_archive_check(app, facts->checks); !checked)
        co_return std::unexpected(checked.error());
    co_return facts;
}

ledger::Backup finish(Application& app, const BackupOrder& order, const fs::path& file,
                      const ledger::CopyFacts& facts) {
    const ledger::Stamp stamp{app.clock.now(), order.by.actor, order.by.uid};
    ledger::Backup backup{stamp.at,         stamp.actor,     file.string(),    facts.sha256,
                          facts.size_bytes, facts.audit_seq, facts.audit_head, order.scheduled};
    app.ledger.transaction([&] {
        ledger::record_backup(app.ledger, backup, stamp);
        ledger::record_checks(app.ledger, facts.checks, stamp);
        ledger::close_exceptions_of_subject(app.ledger, subject, "a backup was made: " + file.string(), stamp);
    });
    crash_point("keep.backup_committed");
    return backup;
}

// Copies, verifies and renames. File system failures become errors.
asio::awaitable<Result<ledger::Backup>> make_at(Application& app, BackupOrder order, fs::path file) {
    const ledger::PartialFile partial(file.string() + ".part");
    const auto facts = co_await copy_and_verify(app, partial.path());
    if (!facts) co_return std::unexpected(facts.error());
    crash_point("keep.backup_verified");
    if (auto free = check_free(file); !free) co_return std::unexpected(free.error());
    fs::rename(partial.path(), file);
    ledger::sync_folder_of(file);
    crash_point("keep.backup_durable");
    co_return finish(app, order, file, *facts);
}

void raise_failed(Application& app, const std::string& why) {
    const ledger::Stamp stamp{app.clock.now(), std::string(pipeline::daemon_actor)};
    app.ledger.transaction([&] {
        ledger::raise_exception(app.ledger,
                                {"pay", "backup_failed", std::nullopt, std::nullopt, std::string(subject),
                                 "the scheduled backup of the ledger failed: " + why +
                                     ": fix the cause; Drawbridge retries, and the next good backup closes this"},
                                stamp);
    });
}

// Only backups that this ledger has made: another program may use the same folder.
void remove_outdated(Application& app, const fs::path& just_made) {
    constexpr int max_backups = 20'000;
    std::set<std::string> made;
    for (const auto& backup : ledger::backups(app.ledger, max_backups))
        made.insert(fs::path(backup.file).filename().string());
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator at(app.config.backup.folder, error), end; !error && at != end; at.increment(error)) {
        if (const auto name = at->path().filename().string(); made.contains(name)) names.push_back(name);
    }
    for (const auto& name : outdated_backups(std::move(names), app.config.backup.keep, just_made.filename().string()))
        fs::remove(app.config.backup.folder / name, error);
}

}  // namespace

asio::awaitable<Result<ledger::Backup>> make_backup(Application& app, BackupOrder order) {
    if (app.backing_up) co_return fail(ErrorCode::conflict, "a backup is already running: try again later");
    const auto file = backup_path(app, order, app.clock.now());
    if (!file) co_return std::unexpected(file.error());
    if (auto lasts = check_lasts(app, *file); !lasts) co_return std::unexpected(lasts.error());
    if (auto free = check_free(*file); !free) co_return std::unexpected(free.error());
    app.backing_up = true;
    Result<ledger::Backup> made = fail(ErrorCode::cancelled, "not made");
    try {
        made = co_await make_at(app, std::move(order), *file);
    } catch (const boost::system::system_error& stopped) {
        made = fail(ErrorCode::cancelled, std::string("the backup was canceled: ") + stopped.what());
    } catch (const std::system_error& failure) {
        made =
            fail(ErrorCode::unavailable, file->string() + ": " + failure.what() + ": " + remedy(failure.code(), *file));
    } catch (const std::runtime_error& failure) {
        made = fail(ErrorCode::unavailable, file->string() + ": " + failure.what());
    }
    app.backing_up = false;
    co_return made;
}

asio::awaitable<std::optional<Result<ledger::Backup>>> make_due_backup(Application& app) {
    const BackupPlan plan{app.config.pay.timezone, app.config.backup.every, app.config.backup.at};
    std::optional<Instant> last;
    if (const auto newest = ledger::last_scheduled_backup(app.ledger)) last = newest->at;
    if (app.backing_up || !backup_due(plan, last, app.ledger.created_at(), app.clock.now())) co_return std::nullopt;
    BackupOrder order{{}, app.context->stamp(), /*scheduled=*/true};
    auto made = co_await make_backup(app, std::move(order));
    if (made) {
        remove_outdated(app, made->file);
    } else if (made.error().code != ErrorCode::cancelled) {
        raise_failed(app, made.error().message);
    }
    co_return std::optional<Result<ledger::Backup>>(std::move(made));
}

}  // namespace drawbridge::daemon
