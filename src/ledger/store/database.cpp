#include "store/database.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <filesystem>
#include <system_error>

#include "drawbridge/domain/assert.hpp"
#include "store/postgresql/dialect.hpp"

namespace drawbridge::ledger {

SQLite::Database open_shared(const std::string& file) {
    SQLite::Database db(file, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE | SQLite::OPEN_NOMUTEX,
                        /*aBusyTimeoutMs=*/0, "unix-excl");
    // What SQLite needs for one row at a time, of any table, without asking for memory each time.
    constexpr int slot_bytes = 4096, slots = 128;
    sqlite3_db_config(db.getHandle(), SQLITE_DBCONFIG_LOOKASIDE, nullptr, slot_bytes, slots);
    return db;
}

SQLite::Database open_unchanged(const std::string& file) {
    // Without a log, no process has it open, and SQLite would create one.
    std::error_code ignored;
    const bool has_log = std::filesystem::exists(file + "-wal", ignored);
    std::string uri = "file:";
    for (const char c : file) {
        constexpr std::string_view reserved = "%?#";
        uri += reserved.contains(c) ? fmt::format("%{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
    }
    return {uri + (has_log ? "" : "?immutable=1"), SQLite::OPEN_READONLY | SQLite::OPEN_URI | SQLite::OPEN_NOMUTEX,
            /*aBusyTimeoutMs=*/0, "unix-excl"};
}

SQLite::Database& Database::sqlite() {
    DRAWBRIDGE_ASSERT(sqlite_.has_value(), "this ledger is a SQLite file");
    return *sqlite_;
}

postgresql::Session& Database::postgresql() {
    DRAWBRIDGE_ASSERT(postgresql_ != nullptr, "this ledger is in PostgreSQL");
    return *postgresql_;
}

void Database::exec(const std::string& script) {
    if (sqlite_) {
        sqlite_->exec(script);
    } else {
        postgresql_->exec(postgresql::translated(script).text);
    }
}

std::int64_t Database::integer(const std::string& sql) {
    Statement statement(*this, sql);
    return statement.next() ? statement.integer(0) : 0;
}

std::string Database::text(const std::string& sql) {
    Statement statement(*this, sql);
    return statement.next() ? statement.text(0) : std::string();
}

void Database::begin(bool waits_for_disk) {
    if (postgresql_) return postgresql_->begin(waits_for_disk);
    if (checkpoints_) checkpoints_->before_transaction();
    // In WAL mode, commits then do not sync; the next commit with FULL syncs the whole log.
    if (!waits_for_disk) sqlite_->exec("PRAGMA synchronous = NORMAL");
    sqlite_->exec("BEGIN IMMEDIATE");
}

void Database::commit(bool waits_for_disk) {
    if (postgresql_) return postgresql_->commit(waits_for_disk);
    sqlite_->exec("COMMIT");
    if (!waits_for_disk) sqlite_->exec("PRAGMA synchronous = FULL");
    if (checkpoints_) checkpoints_->after_commit();
}

void Database::roll_back(bool waits_for_disk) noexcept {
    if (postgresql_) return postgresql_->roll_back();
    sqlite_->tryExec("ROLLBACK");
    if (!waits_for_disk) sqlite_->tryExec("PRAGMA synchronous = FULL");
}

void Database::sync() {
    sqlite3_file* log = nullptr;
    int result =
        sqlite3_file_control(sqlite().getHandle(), "main", SQLITE_FCNTL_JOURNAL_POINTER, static_cast<void*>(&log));
    if (result == SQLITE_OK) result = log->pMethods->xSync(log, SQLITE_SYNC_NORMAL);
    if (result != SQLITE_OK) throw SQLite::Exception("cannot sync the ledger", result);
}

std::int64_t Database::changed_rows() {
    return sqlite_ ? sqlite_->getTotalChanges() : postgresql_->changed_rows();
}

}  // namespace drawbridge::ledger
