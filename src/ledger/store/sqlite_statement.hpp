// A prepared statement of SQLite. SQLiteCpp's own counts its owners anew with each column that is read, which was a
// twentieth of the daemon's work. Columns count from 0, placeholders from 1. Errors are SQLite::Exception. A statement
// that fails while it runs ends its transaction. Private to this module.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "drawbridge/domain/assert.hpp"

namespace drawbridge::ledger {

// INSERT OR ROLLBACK INTO … and UPDATE OR ROLLBACK …: the ledger never undoes a statement alone, and SQLite need not be
// ready to (migrations/0100_schema.sql).
[[nodiscard]] inline std::string rolling_back(std::string_view sql) {
    const auto begin = std::min(sql.find_first_not_of(" \n"), sql.size());
    std::string text(sql.substr(begin));
    const auto after_verb = text.find(' ');
    if (const auto verb = text.substr(0, after_verb); verb == "INSERT" || verb == "UPDATE")
        text.insert(after_verb, " OR ROLLBACK");
    return text;
}

class SqliteStatement {
  public:
    SqliteStatement(SQLite::Database& db, std::string_view sql) : db_(db.getHandle()) {
        constexpr unsigned is_kept = SQLITE_PREPARE_PERSISTENT;
        const std::string text = rolling_back(sql);
        sqlite3_stmt* statement = nullptr;
        check(sqlite3_prepare_v3(db_, text.data(), static_cast<int>(text.size()), is_kept, &statement, nullptr));
        statement_.reset(statement);
    }

    [[nodiscard]] int count_placeholders() const { return sqlite3_bind_parameter_count(statement_.get()); }
    [[nodiscard]] int count_columns() const { return sqlite3_column_count(statement_.get()); }

    void bind(int number, std::int64_t value) { check(sqlite3_bind_int64(statement_.get(), number, value)); }
    void bind(int number, std::string_view value) { bind(number, value, SQLITE_TRANSIENT); }
    // The text must live until reset().
    void bind_borrowed(int number, std::string_view value) { bind(number, value, SQLITE_STATIC); }

    // False: there are no more rows.
    bool next() {
        DRAWBRIDGE_ASSERT(!is_done_, "a statement is reset before it runs again");
        const int result = sqlite3_step(statement_.get());
        is_done_ = result != SQLITE_ROW;
        if (is_done_ && result != SQLITE_DONE) throw failed(result);
        return !is_done_;
    }
    // Returns how many rows it changed.
    int run() {
        const bool has_row = next();
        DRAWBRIDGE_ASSERT(!has_row, "a statement that changes rows returns none");
        return sqlite3_changes(db_);
    }
    void reset() noexcept {
        is_done_ = false;
        sqlite3_reset(statement_.get());
        sqlite3_clear_bindings(statement_.get());
    }

    [[nodiscard]] bool is_null(int column) const {
        return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
    }
    [[nodiscard]] std::int64_t integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }
    // NULL: empty. Valid until the next row.
    [[nodiscard]] std::string_view text(int column) const {
        const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
        const int size = sqlite3_column_bytes(statement_.get(), column);
        return size == 0 ? std::string_view() : std::string_view(bytes, static_cast<std::size_t>(size));
    }

  private:
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
    };

    // SQLite itself leaves the transaction open after some failures, such as a text for an integer column.
    [[nodiscard]] SQLite::Exception failed(int result) const {
        SQLite::Exception failure(db_, result);
        sqlite3_exec(db_, "ROLLBACK", nullptr, nullptr, nullptr);
        return failure;
    }
    void check(int result) const {
        if (result != SQLITE_OK) throw SQLite::Exception(db_, result);
    }
    void bind(int number, std::string_view value, sqlite3_destructor_type lifetime) {
        // A null pointer would be NULL.
        const char* const bytes = value.data() == nullptr ? "" : value.data();
        check(sqlite3_bind_text(statement_.get(), number, bytes, static_cast<int>(value.size()), lifetime));
    }

    sqlite3* db_;
    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
    bool is_done_ = false;
};

}  // namespace drawbridge::ledger
