#include "drawbridge/ledger/store/backups.hpp"

#include <fcntl.h>
#include <sqlite3.h>

#include <algorithm>

#include "drawbridge/files/durable_file.hpp"
#include "drawbridge/ledger/facts/exports.hpp"
#include "drawbridge/ledger/reports/verify.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

namespace fs = std::filesystem;

// In steps of SQLite's virtual machine; a few times per millisecond.
constexpr int steps_between_looks = 20'000;

// Interrupts what runs on the copy when `stop` is requested.
Result<std::vector<InvariantResult>> verify_until(Ledger& copy, const std::stop_token& stop) {
    auto* handle = copy.connection().db.sqlite().getHandle();
    sqlite3_progress_handler(
        handle, steps_between_looks,
        [](void* token) { return static_cast<const std::stop_token*>(token)->stop_requested() ? 1 : 0; },
        const_cast<std::stop_token*>(&stop));  // NOLINT(cppcoreguidelines-pro-type-const-cast): it is only read
    try {
        auto results = verify(copy);
        sqlite3_progress_handler(handle, 0, nullptr, nullptr);
        return results;
    } catch (const SQLite::Exception& broken_off) {
        if (broken_off.getErrorCode() != SQLITE_INTERRUPT) throw;
        return fail(ErrorCode::cancelled, "the check was canceled: the daemon is stopping");
    }
}

#define BACKUP_COLUMNS "at, by, file, sha256, size_bytes, audit_seq, audit_head, scheduled"

}  // namespace

struct BackupCopy::State {
    explicit State(const fs::path& file) : to(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_NOMUTEX) {}
    SQLite::Database to;
    sqlite3_backup* backup = nullptr;
};

void PartialFile::remove() const {
    std::error_code ignored;
    for (const std::string_view ending : ledger_file_endings)
        fs::remove(fs::path(file_.string() + std::string(ending)), ignored);
}

void create_empty(const fs::path& file) {
    constexpr mode_t owner_only = 0600;
    static_cast<void>(files::open_file(file, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, owner_only));
}

BackupCopy::BackupCopy(Ledger& ledger, const fs::path& file) {
    create_empty(file);
    state_ = std::make_unique<State>(file);
    // The copy is synced once, when it is complete.
    state_->to.exec("PRAGMA synchronous = OFF");
    state_->to.exec("PRAGMA journal_mode = OFF");
    state_->backup =
        sqlite3_backup_init(state_->to.getHandle(), "main", ledger.connection().db.sqlite().getHandle(), "main");
    if (state_->backup == nullptr) throw SQLite::Exception(state_->to.getHandle());
}

BackupCopy::~BackupCopy() {
    sqlite3_backup_finish(state_->backup);
}

bool BackupCopy::copy(int pages) {
    const int result = sqlite3_backup_step(state_->backup, pages);
    if (result == SQLITE_DONE) return true;
    if (result != SQLITE_OK)
        throw SQLite::Exception(std::string("cannot copy the ledger: ") + sqlite3_errstr(result), result);
    return false;
}

AuditEnd audit_end(const Ledger& ledger) {
    return {ledger.connection().audit_seq, ledger.connection().audit_head};
}

Result<CopyInspection> inspect_copy(const fs::path& file, const AuditEnd& copied_at, Instant now,
                                    const std::optional<SealingKey>& key, const std::stop_token& stop) {
    auto copy = Ledger::open_copy(file, now, key);
    if (!copy) return std::unexpected(copy.error());
    auto results = verify_until(*copy, stop);
    if (!results) return std::unexpected(results.error());
    const auto end = audit_end(*copy);
    if (end.seq != copied_at.seq || end.head != copied_at.head) {
        const auto chain = std::ranges::find(*results, 5, &InvariantResult::number);
        chain->violations.push_back("the audit trail ends at row " + std::to_string(end.seq) +
                                    ", but the program wrote " + std::to_string(copied_at.seq));
    }
    return CopyInspection{*std::move(results), known_exports(*copy)};
}

Result<CopyInspection> inspect_on_read_server(const fs::path& state_dir, const ReadServer& server,
                                              const Position& written, Instant now,
                                              const std::optional<SealingKey>& key, const std::stop_token& stop,
                                              AuditEnd& end) {
    auto reader = open_on_read_server(state_dir, server, key);
    if (!reader) return std::unexpected(reader.error());
    const std::stop_callback interrupt(stop, reader->connection().db.postgresql().interrupter());
    ReadMoments moments(server);
    const auto reading = moments.begin(*reader, written, now);
    if (!reading) return std::unexpected(reading.error());
    try {
        end = audit_end(*reader);
        auto results = verify(*reader);
        return CopyInspection{std::move(results), known_exports(*reader)};
    } catch (const postgresql::Failure&) {
        if (!stop.stop_requested()) throw;
        return fail(ErrorCode::cancelled, "the check was canceled: the daemon is stopping");
    }
}

Result<CopyFacts> verify_copy(const fs::path& file, Instant now, const std::optional<SealingKey>& key,
                              const std::stop_token& stop) {
    CopyFacts facts;
    {
        auto copy = Ledger::open_copy(file, now, key);
        if (!copy) return std::unexpected(copy.error());
        auto results = verify_until(*copy, stop);
        if (!results) return std::unexpected(results.error());
        for (const auto& result : *results) {
            if (result.violations.empty()) continue;
            return fail(ErrorCode::invalid_input, file.string() + ": it violates invariant " +
                                                      std::to_string(result.number) + " (" + result.title +
                                                      "): " + result.violations.front());
        }
        facts.checks = std::move(*results);
        facts.ledger_id = copy->ledger_id();
        facts.audit_seq = copy->connection().audit_seq;
        facts.audit_head = copy->connection().audit_head;
    }
    files::sync_file(file);
    auto digest = files::digest_of(file);
    facts.sha256 = std::move(digest.sha256);
    facts.size_bytes = digest.size_bytes;
    return facts;
}

void record_backup(Ledger& ledger, const Backup& backup, const Stamp& stamp) {
    assert_in_transaction(ledger);
    Query(ledger,
          R"sql(
        INSERT INTO backup (at, by, file, sha256, size_bytes, audit_seq, audit_head, scheduled)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?))sql",
          stamp.at, stamp.actor, backup.file, backup.sha256, backup.size_bytes, backup.audit_seq, backup.audit_head,
          backup.scheduled ? 1 : 0)
        .run();
    audit(ledger, stamp, "ledger.backed_up", "ledger", backup.file + ", sha256 " + backup.sha256);
}

std::vector<Backup> backups(Ledger& ledger, int limit) {
    Query query(ledger, "SELECT " BACKUP_COLUMNS " FROM backup ORDER BY backup_id DESC LIMIT ?", limit);
    return query.records<Backup>();
}

std::vector<Backup> backups_before(Ledger& ledger, std::int64_t audit_seq, int limit) {
    Query query(ledger, "SELECT " BACKUP_COLUMNS " FROM backup WHERE audit_seq < ? ORDER BY audit_seq DESC LIMIT ?",
                newest_before(audit_seq), limit);
    return query.records<Backup>();
}

std::int64_t count_backups(Ledger& ledger) {
    Query query(ledger, "SELECT count(*) FROM backup");
    return query.only<std::int64_t>();
}

std::optional<Backup> last_backup(Ledger& ledger) {
    auto newest = backups(ledger, 1);
    if (newest.empty()) return std::nullopt;
    return std::move(newest.front());
}

std::optional<Backup> last_scheduled_backup(Ledger& ledger) {
    Query query(ledger, "SELECT " BACKUP_COLUMNS " FROM backup WHERE scheduled = 1 ORDER BY backup_id DESC LIMIT 1");
    return query.first<Backup>();
}

void sync_folder_of(const fs::path& file) {
    files::sync_folder(files::folder_of(file));
}

}  // namespace drawbridge::ledger
