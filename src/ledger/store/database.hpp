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

#include "drawbridge/domain/assert.hpp"
#include "drawbridge/ledger/store/engine.hpp"
#include "store/postgresql/session.hpp"

namespace drawbridge::ledger {

using postgresql::ValueKind;

class Database {
  public:
    explicit Database(const std::string& file)
        : sqlite_(std::in_place, file, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE | SQLite::OPEN_NOMUTEX) {}
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
    // Rows changed since it was opened.
    [[nodiscard]] std::int64_t changed_rows();

  private:
    std::optional<SQLite::Database> sqlite_;
    std::unique_ptr<postgresql::Session> postgresql_;
};

// A prepared statement. Columns count from 0, placeholders from 1.
class Statement {
  public:
    Statement(Database& db, std::string_view sql) {
        if (db.is_postgresql()) {
            postgresql_.emplace(db.postgresql(), sql);
        } else {
            sqlite_.emplace(db.sqlite(), std::string(sql));
        }
    }

    [[nodiscard]] int count_placeholders() const {
        return sqlite_ ? sqlite_->getBindParameterCount() : postgresql_->count_placeholders();
    }
    [[nodiscard]] int count_columns() const {
        return sqlite_ ? sqlite_->getColumnCount() : postgresql_->count_columns();
    }

    void bind(int number, std::int64_t value) {
        if (sqlite_) {
            sqlite_->bind(number, value);
        } else {
            postgresql_->bind(number, value);
        }
    }
    void bind(int number, const std::string& value) {
        if (sqlite_) {
            sqlite_->bind(number, value);
        } else {
            postgresql_->bind(number, std::string_view(value));
        }
    }
    void bind_literal(int number, const char* value) {
        if (sqlite_) {
            sqlite_->bindNoCopy(number, value);
        } else {
            postgresql_->bind(number, std::string_view(value));
        }
    }
    void bind_borrowed(int number, const std::string& value) {
        if (sqlite_) {
            sqlite_->bindNoCopy(number, value);
        } else {
            postgresql_->bind_borrowed(number, value);
        }
    }
    // Values that are not bound are NULL. PostgreSQL wants to know what would be there.
    void bind_null(int number, ValueKind kind) {
        if (postgresql_) postgresql_->bind_null(number, kind);
    }

    bool next() { return sqlite_ ? sqlite_->executeStep() : postgresql_->next(); }
    // PostgreSQL may refuse it only when it is asked something, or at the commit.
    void run() {
        if (sqlite_) {
            sqlite_->exec();
        } else {
            postgresql_->run();
        }
    }
    // It changes this many rows, or there is a bug.
    void run_for_rows(int rows) {
        if (sqlite_) {
            const int changed = sqlite_->exec();
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
        } else if (const int changed = sqlite_->exec(); changes_one_row) {
            DRAWBRIDGE_ASSERT(changed == 1, "a statement changes the rows that it is about");
        }
    }
    // Returns the number of changed rows, so it waits for the server.
    [[nodiscard]] int run_counted() { return sqlite_ ? sqlite_->exec() : postgresql_->run_counted(); }
    void reset() noexcept {
        if (sqlite_) {
            sqlite_->tryReset();
            sqlite_->clearBindings();
        } else {
            postgresql_->reset();
        }
    }

    [[nodiscard]] bool is_null(int column) const {
        return sqlite_ ? sqlite_->getColumn(column).isNull() : postgresql_->is_null(column);
    }
    [[nodiscard]] std::int64_t integer(int column) const {
        return sqlite_ ? sqlite_->getColumn(column).getInt64() : postgresql_->integer(column);
    }
    [[nodiscard]] std::string text(int column) const {
        return sqlite_ ? sqlite_->getColumn(column).getString() : postgresql_->text(column);
    }

  private:
    // getColumn() is not const, although it changes nothing.
    mutable std::optional<SQLite::Statement> sqlite_;
    std::optional<postgresql::Prepared> postgresql_;
};

}  // namespace drawbridge::ledger
