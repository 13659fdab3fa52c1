#include "plain_insert.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include <algorithm>
#include <stdexcept>

#include "measured.hpp"

namespace drawbridge::bench {
namespace {

using Values = std::vector<sqlite3_value*>;

// SQLiteCpp copies no values of any type.
class RawStatement {
  public:
    RawStatement(const SQLite::Database& db, const std::string& sql) {
        if (sqlite3_prepare_v2(db.getHandle(), sql.c_str(), -1, &statement_, nullptr) != SQLITE_OK)
            throw std::runtime_error(sqlite3_errmsg(db.getHandle()));
    }
    RawStatement(const RawStatement&) = delete;
    RawStatement& operator=(const RawStatement&) = delete;
    ~RawStatement() { sqlite3_finalize(statement_); }
    [[nodiscard]] sqlite3_stmt* get() const { return statement_; }

  private:
    sqlite3_stmt* statement_ = nullptr;
};

// Creates the table with its indexes, also those of UNIQUE columns. Returns the number of its columns.
int create_plainly(SQLite::Database& from, SQLite::Database& plain, const std::string& table) {
    SQLite::Statement columns(from,
                              "SELECT group_concat('\"' || name || '\" ' || type || CASE WHEN pk = 1 AND type ="
                              " 'INTEGER' AND (SELECT max(pk) FROM pragma_table_info(?1)) = 1 THEN ' PRIMARY KEY'"
                              " ELSE '' END), count(*) FROM pragma_table_info(?1)");
    columns.bind(1, table);
    columns.executeStep();
    plain.exec("CREATE TABLE " + table + " (" + columns.getColumn(0).getString() + ")");
    SQLite::Statement indexes(
        from,
        "SELECT coalesce(s.sql, 'CREATE UNIQUE INDEX ' || replace(l.name, 'sqlite_', '') || ' ON ' || ?1 || ' (' ||"
        " (SELECT group_concat(c.name) FROM pragma_index_info(l.name) c) || ')')"
        " FROM pragma_index_list(?1) l JOIN sqlite_schema s ON s.name = l.name WHERE l.origin <> 'pk'");
    indexes.bind(1, table);
    while (indexes.executeStep())
        plain.exec(indexes.getColumn(0).getString());
    return columns.getColumn(1).getInt();
}

double insert_into(SQLite::Database& from, SQLite::Database& plain, const Rows& what) {
    const std::string table = what.table;
    const int width = create_plainly(from, plain, table);
    std::string insert = "INSERT INTO " + table + " VALUES (?";
    for (int i = 1; i < width; ++i)
        insert += ",?";
    const RawStatement into(plain, insert + ")");
    const RawStatement rows(from, "SELECT * FROM " + table + " WHERE " + what.where);
    double seconds = 0;
    constexpr std::size_t at_once = 10'000;
    plain.exec("BEGIN");
    for (bool more = true; more;) {
        std::vector<Values> chunk;
        while (chunk.size() < at_once && (more = sqlite3_step(rows.get()) == SQLITE_ROW)) {
            auto& values = chunk.emplace_back();
            for (int i = 0; i < width; ++i)
                values.push_back(sqlite3_value_dup(sqlite3_column_value(rows.get(), i)));
        }
        const Stopwatch watch;
        for (const auto& values : chunk) {
            for (int i = 0; i < width; ++i)
                sqlite3_bind_value(into.get(), i + 1, values[static_cast<std::size_t>(i)]);
            if (sqlite3_step(into.get()) != SQLITE_DONE) throw std::runtime_error(sqlite3_errmsg(plain.getHandle()));
            sqlite3_reset(into.get());
        }
        seconds += watch.seconds();
        for (const auto& values : chunk)
            std::ranges::for_each(values, sqlite3_value_free);
    }
    const Stopwatch watch;
    plain.exec("COMMIT");
    return seconds + watch.seconds();
}

}  // namespace

double insert_plainly(SQLite::Database& from, const std::filesystem::path& file, const std::vector<Rows>& rows) {
    for (const char* suffix : {"", "-wal", "-shm"})
        std::filesystem::remove(file.string() + suffix);
    SQLite::Database plain(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    plain.exec(
        "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
        "PRAGMA cache_size = -16384; PRAGMA wal_autocheckpoint = 4000; PRAGMA locking_mode = EXCLUSIVE");
    double seconds = 0;
    for (const auto& what : rows)
        seconds += insert_into(from, plain, what);
    return seconds;
}

}  // namespace drawbridge::bench
