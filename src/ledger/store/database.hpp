// The database under a Ledger: a SQLite file, or a schema of a PostgreSQL server. Its statements are of one of two
// final kinds, chosen by a branch: a virtual call for each value would cost the poll its speed. It owns no SQL of the
// ledger and knows none of its facts. Private to this module.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "drawbridge/domain/assert.hpp"
#include "drawbridge/ledger/store/engine.hpp"
#include "store/checkpoints.hpp"
#include "store/postgresql/session.hpp"
#include "store/sqlite_statement.hpp"

namespace drawbridge::ledger {

using postgresql::ValueKind;

// Opens or creates a file that connections of this process share, and that no other process can read or write
// meanwhile.
[[nodiscard]] SQLite::Database open_shared(const std::string& file);
// Opens a file that this process only reads, without creating anything next to it.
[[nodiscard]] SQLite::Database open_unchanged(const std::string& file);

class Database {
  public:
    explicit Database(SQLite::Database file) : sqlite_(std::move(file)) {}
    explicit Database(const PostgresqlAddress& address) : postgresql_(std::make_unique<postgresql::Session>(address)) {}

    [[nodiscard]] bool is_postgresql() const { return postgresql_ != nullptr; }
    // Only of that engine.
    [[nodiscard]] SQLite::Database& sqlite();
    [[nodiscard]] postgresql::Session& postgresql();
    [[nodiscard]] const postgresql::Session& postgresql() const { return *postgresql_; }

    // Statements without values and without rows.
    void exec(const std::string& script);
    // The first column of the first row.
    [[nodiscard]] std::int64_t integer(const std::string& sql);
    [[nodiscard]] std::string text(const std::string& sql);

    void begin(bool waits_for_disk);
    void commit(bool waits_for_disk);
    void roll_back(bool waits_for_disk) noexcept;
    // The transaction has ended, because a statement failed. PostgreSQL itself refuses all statements after that.
    [[nodiscard]] bool is_rolled_back() { return sqlite_ && sqlite3_get_autocommit(sqlite_->getHandle()) != 0; }
    // Only SQLite, in WAL mode: copies the log into the file from now on (store/checkpoints.hpp), empties the log,
    // says whether work that can wait should pause, waits until everything that was committed is on the disk.
    void begin_checkpoints() { checkpoints_ = std::make_unique<Checkpoints>(sqlite()); }
    void empty_log() { checkpoints_->empty_log(); }
    [[nodiscard]] bool is_quiet_wanted() { return checkpoints_ && checkpoints_->is_quiet_wanted(); }
    void sync();
    // Rows changed since it was opened.
    [[nodiscard]] std::int64_t changed_rows();

  private:
    std::optional<SQLite::Database> sqlite_;
    std::unique_ptr<Checkpoints> checkpoints_;  // ends before the connection
    std::unique_ptr<postgresql::Session> postgresql_;
};

// A prepared statement. Columns count from 0, placeholders from 1.
class Statement {
  public:
    Statement(Database& db, std::string_view sql) {
        if (db.is_postgresql()) {
            postgresql_.emplace(db.postgresql(), sql);
        } else {
            sqlite_.emplace(db.sqlite(), sql);
        }
    }

    [[nodiscard]] int count_placeholders() const {
        return sqlite_ ? sqlite_->count_placeholders() : postgresql_->count_placeholders();
    }
    [[nodiscard]] int count_columns() const {
        return sqlite_ ? sqlite_->count_columns() : postgresql_->count_columns();
    }

    void bind(int number, std::int64_t value) {
        if (sqlite_) {
            sqlite_->bind(number, value);
        } else {
            postgresql_->bind(number, value);
        }
    }
    void bind(int number, std::string_view value) {
        if (sqlite_) {
            sqlite_->bind(number, value);
        } else {
            postgresql_->bind(number, value);
        }
    }
    void bind_literal(int number, const char* value) {
        if (sqlite_) {
            sqlite_->bind_borrowed(number, value);
        } else {
            postgresql_->bind(number, std::string_view(value));
        }
    }
    void bind_borrowed(int number, const std::string& value) {
        if (sqlite_) {
            sqlite_->bind_borrowed(number, value);
        } else {
            postgresql_->bind_borrowed(number, value);
        }
    }
    // Values that are not bound are NULL. PostgreSQL wants to know what would be there.
    void bind_null(int number, ValueKind kind) {
        if (postgresql_) postgresql_->bind_null(number, kind);
    }

    bool next() { return sqlite_ ? sqlite_->next() : postgresql_->next(); }
    // PostgreSQL may refuse it only when it is asked something, or at the commit.
    void run() {
        if (sqlite_) {
            sqlite_->run();
        } else {
            postgresql_->run();
        }
    }
    // It changes this many rows, or there is a bug.
    void run_for_rows(int rows) {
        if (sqlite_) {
            const int changed = sqlite_->run();
            DRAWBRIDGE_ASSERT(changed == rows, "a statement changes the rows that it is about");
        } else {
            postgresql_->run_for_rows(rows);
        }
    }
    // In a transaction: with others of its kind, before the next statement that is not run so. Its statement is INSERT
    // … VALUES, or UPDATE or DELETE with different keys each time.
    void run_in_bulk(bool changes_one_row) {
        if (postgresql_) {
            postgresql_->run_in_bulk(changes_one_row);
        } else if (const int changed = sqlite_->run(); changes_one_row) {
            DRAWBRIDGE_ASSERT(changed == 1, "a statement changes the rows that it is about");
        }
    }
    // Returns the number of changed rows, so it waits for the server.
    [[nodiscard]] int run_counted() { return sqlite_ ? sqlite_->run() : postgresql_->run_counted(); }
    void reset() noexcept {
        if (sqlite_) {
            sqlite_->reset();
        } else {
            postgresql_->reset();
        }
    }

    [[nodiscard]] bool is_null(int column) const {
        return sqlite_ ? sqlite_->is_null(column) : postgresql_->is_null(column);
    }
    [[nodiscard]] std::int64_t integer(int column) const {
        return sqlite_ ? sqlite_->integer(column) : postgresql_->integer(column);
    }
    // NULL: empty.
    [[nodiscard]] std::string text(int column) const {
        return sqlite_ ? std::string(sqlite_->text(column)) : postgresql_->text(column);
    }

  private:
    std::optional<SqliteStatement> sqlite_;
    std::optional<postgresql::Prepared> postgresql_;
};

}  // namespace drawbridge::ledger
