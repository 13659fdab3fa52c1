#include "drawbridge/ledger/store/copy.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <memory>
#include <vector>

#include "drawbridge/ledger/store/backups.hpp"
#include "store/connection.hpp"
#include "store/migrations.hpp"
#include "store/postgresql/dialect.hpp"
#include "store/postgresql/schema.hpp"
#include "store/postgresql/stored_text.hpp"

namespace drawbridge::ledger {
namespace {

namespace fs = std::filesystem;

struct CopiedTable {
    std::string name;
    std::vector<std::string> columns;
};

std::string column_list(const std::vector<std::string>& names) {
    std::string list;
    for (const auto& name : names)
        list += (list.empty() ? "\"" : ", \"") + name + '"';
    return list;
}

// In the order in which the schema creates them, so that what a row refers to comes before it.
std::vector<CopiedTable> tables_of_file(SQLite::Database& db) {
    std::vector<CopiedTable> tables;
    SQLite::Statement names(
        db, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid");
    while (names.executeStep()) {
        CopiedTable table{names.getColumn(0).getString(), {}};
        SQLite::Statement columns(db, "SELECT name FROM pragma_table_info(?) ORDER BY cid");
        columns.bind(1, table.name);
        while (columns.executeStep())
            table.columns.push_back(columns.getColumn(0).getString());
        tables.push_back(std::move(table));
    }
    return tables;
}

// A line of COPY: values between tabs; \N is NULL.
std::string copy_line(SQLite::Statement& row) {
    std::string line;
    for (int column = 0; column < row.getColumnCount(); ++column) {
        if (column > 0) line += '\t';
        const auto value = row.getColumn(column);
        if (value.isNull()) {
            line += "\\N";
            continue;
        }
        const auto text = value.getString();
        for (const char c : postgresql::text_to_store(text).value_or(text)) {
            if (c == '\\')
                line += "\\\\";
            else if (c == '\t')
                line += "\\t";
            else if (c == '\n')
                line += "\\n";
            else if (c == '\r')
                line += "\\r";
            else
                line += c;
        }
    }
    return line + "\n";
}

void copy_in(postgresql::Session& session, SQLite::Database& from, const CopiedTable& table) {
    const auto columns = column_list(table.columns);
    session.exec("DELETE FROM \"" + table.name + "\"");  // what the schema begins with
    SQLite::Statement rows(from, "SELECT " + columns + " FROM \"" + table.name + "\"");
    session.copy_in("COPY \"" + table.name + "\" (" + columns + ") FROM STDIN", [&]() -> std::optional<std::string> {
        if (!rows.executeStep()) return std::nullopt;
        return copy_line(rows);
    });
}

void copy_out(postgresql::Session& session, SQLite::Database& to, const CopiedTable& table) {
    const auto columns = column_list(table.columns);
    const auto are_integers = postgresql::integer_columns(session, table.name);
    to.exec("DELETE FROM \"" + table.name + "\"");
    std::string places;
    for (std::size_t at = 0; at < table.columns.size(); ++at)
        places += at == 0 ? "?" : ", ?";
    SQLite::Statement insert(to, "INSERT INTO \"" + table.name + "\" (" + columns + ") VALUES (" + places + ")");
    session.for_each_row("SELECT " + columns + " FROM \"" + table.name + "\"", [&](const PGresult* row) {
        for (int column = 0; column < PQnfields(row); ++column) {
            if (PQgetisnull(row, 0, column) != 0) continue;
            const std::string_view value(PQgetvalue(row, 0, column),
                                         static_cast<std::size_t>(PQgetlength(row, 0, column)));
            if (are_integers[static_cast<std::size_t>(column)]) {
                insert.bind(column + 1, static_cast<std::int64_t>(std::stoll(std::string(value))));
            } else {
                insert.bind(column + 1, postgresql::text_from_store(value));
            }
        }
        insert.exec();
        insert.reset();
        insert.clearBindings();
    });
}

std::vector<std::string> texts_of(SQLite::Database& db, const char* sql) {
    std::vector<std::string> all;
    SQLite::Statement query(db, sql);
    while (query.executeStep())
        all.push_back(query.getColumn(0).getString());
    return all;
}

// The rows came in by rules that were kept when they were written, so the triggers stand aside.
void fill_file(postgresql::Session& session, SQLite::Database& to) {
    to.exec("PRAGMA foreign_keys = OFF");
    SQLite::Transaction transaction(to);
    for (const auto& migration : migrations())
        to.exec(std::string(migration.sql));
    const auto triggers = texts_of(to, "SELECT sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid");
    for (const auto& name : texts_of(to, "SELECT name FROM sqlite_schema WHERE type = 'trigger'"))
        to.exec("DROP TRIGGER " + name);
    for (const auto& table : tables_of_file(to))
        copy_out(session, to, table);
    for (const auto& sql : triggers)
        to.exec(sql);
    to.exec("PRAGMA user_version = " + std::to_string(newest_schema()));
    transaction.commit();
}

// With what lies in its log. verify_copy() then brings it to this program's schema.
void copy_aside(const fs::path& file, const fs::path& copy) {
    fs::remove(copy);
    SQLite::Database source(file.string(), SQLite::OPEN_READONLY);
    SQLite::Statement into(source, "VACUUM INTO ?");
    into.bind(1, copy.string());
    into.exec();
}

void fill_schema(postgresql::Session& session, const std::string& schema, SQLite::Database& from) {
    session.exec("BEGIN");
    for (const auto& migration : migrations())
        postgresql::create_tables(session, schema, migration);
    for (const auto& table : tables_of_file(from))
        copy_in(session, from, table);
    for (const auto& migration : migrations())
        postgresql::create_triggers(session, migration);
    postgresql::continue_sequences(session);
    session.commit();
}

}  // namespace

struct Snapshot::State {
    explicit State(const PostgresqlAddress& address) : session(address) {}
    postgresql::Session session;
    AuditEnd end;
};

Snapshot::Snapshot(Ledger& ledger) {
    auto& connection = ledger.connection();
    DRAWBRIDGE_ASSERT(connection.address && !connection.in_transaction, "a ledger in PostgreSQL, between transactions");
    state_ = std::make_unique<State>(*connection.address);
    state_->session.exec("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    state_->end = {std::stoll("0" + state_->session.value_of("SELECT max(seq) FROM audit")), connection.audit_head};
    DRAWBRIDGE_ASSERT(state_->end.seq == connection.audit_seq, "nobody else writes this ledger");
}

Snapshot::~Snapshot() = default;

const AuditEnd& Snapshot::end() const {
    return state_->end;
}

void Snapshot::write(const fs::path& file) const {
    SQLite::Database to(file.string(), SQLite::OPEN_READWRITE);
    to.exec("PRAGMA page_size = 8192");
    to.exec("PRAGMA synchronous = OFF");  // synced once, when it is complete
    fill_file(state_->session, to);
}

Result<CopyFacts> copy_to_file(Ledger& from, const fs::path& file, Instant now, const std::optional<SealingKey>& key) {
    std::error_code error;
    if (fs::exists(file, error)) {
        return fail(ErrorCode::conflict, file.string() + ": the file exists: name one that does not");
    }
    const Snapshot snapshot(from);
    create_empty(file);
    snapshot.write(file);
    auto facts = verify_copy(file, now, key);
    if (facts && facts->audit_head != snapshot.end().head)
        return fail(ErrorCode::conflict, file.string() + ": the copy's audit trail does not end as the ledger's does");
    return facts;
}

Result<CopyFacts> copy_from_file(const fs::path& file, const fs::path& state_dir, const PostgresqlAddress& to,
                                 Instant now, const std::optional<SealingKey>& key) {
    std::error_code error;
    if (!fs::is_regular_file(file, error)) return fail(ErrorCode::not_found, file.string() + ": there is no such file");
    const auto copy = state_dir / "ledger.copied.tmp";
    copy_aside(file, copy);
    auto facts = verify_copy(copy, now, key);
    if (!facts) return facts;
    try {
        postgresql::Session session(to);
        const auto place = place_of_ledger(to);
        if (!postgresql::take_writer_lock(session, to.schema))
            return fail(ErrorCode::in_use, place + ": another drawbridge process writes a ledger there: stop it first");
        if (postgresql::schema_version(session) != 0)
            return fail(ErrorCode::conflict, place + ": there is a ledger already: name another schema or database");
        SQLite::Database from(copy.string(), SQLite::OPEN_READONLY);
        fill_schema(session, to.schema, from);
    } catch (const postgresql::Failure& failure) {
        return postgresql::unusable_server(failure);
    }
    fs::remove(copy);
    return facts;
}

}  // namespace drawbridge::ledger
