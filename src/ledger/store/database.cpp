#include "store/database.hpp"

#include "drawbridge/domain/assert.hpp"
#include "store/postgresql/dialect.hpp"

namespace drawbridge::ledger {

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
    // In WAL mode, commits then do not sync; the next commit with FULL syncs the whole log.
    if (!waits_for_disk) sqlite_->exec("PRAGMA synchronous = NORMAL");
    sqlite_->exec("BEGIN IMMEDIATE");
}

void Database::commit(bool waits_for_disk) {
    if (postgresql_) return postgresql_->commit(waits_for_disk);
    sqlite_->exec("COMMIT");
    if (!waits_for_disk) sqlite_->exec("PRAGMA synchronous = FULL");
}

void Database::roll_back(bool waits_for_disk) noexcept {
    if (postgresql_) return postgresql_->roll_back();
    sqlite_->tryExec("ROLLBACK");
    if (!waits_for_disk) sqlite_->tryExec("PRAGMA synchronous = FULL");
}

std::int64_t Database::changed_rows() {
    return sqlite_ ? sqlite_->getTotalChanges() : postgresql_->changed_rows();
}

}  // namespace drawbridge::ledger
