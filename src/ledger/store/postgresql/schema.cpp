#include "store/postgresql/schema.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <exception>
#include <set>

#include "store/postgresql/dialect.hpp"

namespace drawbridge::ledger::postgresql {
namespace {

constexpr const char* own_tables = R"sql(
    CREATE TABLE ledger_schema (one_row bigint PRIMARY KEY CHECK (one_row = 1), version bigint NOT NULL);
    CREATE TABLE writer (one_row bigint PRIMARY KEY CHECK (one_row = 1), epoch bigint NOT NULL, holder text NOT NULL,
        process text NOT NULL, since bigint NOT NULL, gave_up bigint NOT NULL);
    INSERT INTO writer VALUES (1, 0, '', '', 0, 1);
    CREATE TABLE standby (host text PRIMARY KEY, process text NOT NULL, seen bigint NOT NULL, audit_seq bigint NOT NULL,
        settings text NOT NULL, rules text NOT NULL, payees text NOT NULL);
    CREATE FUNCTION refuse_truncate() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION USING MESSAGE = TG_TABLE_NAME || ' is never emptied', ERRCODE = 'integrity_constraint_violation';
    END $$)sql";

// For people who look for the process that writes.
std::string holder() {
    return host_name() + " " + std::to_string(::getpid());
}

// The columns of the writer that tell who acts, or acted last.
std::string acting_now() {
    return fmt::format("holder = '{}', process = '{}', gave_up = 0", holder(), this_process());
}

std::vector<std::string> names(Session& session, const std::string& sql) {
    std::vector<std::string> all;
    session.for_each_row(sql, [&](const PGresult* row) { all.emplace_back(PQgetvalue(row, 0, 0)); });
    return all;
}

}  // namespace

bool take_writer_lock(Session& session, const std::string& schema) {
    // The server may notice a moment later than everybody else that the process before has ended.
    try {
        session.exec("SET lock_timeout = '2s'");
        session.exec("SELECT pg_advisory_lock(hashtextextended('drawbridge ledger " + schema + "', 0))");
        session.exec("SET lock_timeout = 0");
        return true;
    } catch (const Failure& failure) {
        if (failure.state() != "55P03") throw;  // lock_not_available
        return false;
    }
}

int schema_version(Session& session) {
    if (session.value_of("SELECT to_regclass('ledger_schema')").empty()) return 0;
    return std::stoi("0" + session.value_of("SELECT version FROM ledger_schema"));
}

void create_tables(Session& session, const std::string& schema, const Migration& migration) {
    if (migration.version == first_schema) {
        session.exec("CREATE SCHEMA IF NOT EXISTS \"" + schema + "\"");
        session.exec(own_tables);
        session.exec(std::string(digest_function()));
    }
    for (const auto& statement : translated_schema(migration.sql).tables)
        session.exec(statement);
    session.exec(
        fmt::format("INSERT INTO ledger_schema VALUES (1, {0}) ON CONFLICT (one_row) DO UPDATE SET version = {0}",
                    migration.version));
}

void create_triggers(Session& session, const Migration& migration) {
    for (const auto& statement : translated_schema(migration.sql).triggers)
        session.exec(statement);
}

Predecessor become_writer(Session& session, Instant now) {
    session.exec("BEGIN");
    Predecessor before;
    session.for_each_row("SELECT epoch, holder, process, gave_up FROM writer", [&](const PGresult* row) {
        before.epoch = std::stoll(PQgetvalue(row, 0, 0));
        before.holder = PQgetvalue(row, 0, 1);
        const std::string_view process = PQgetvalue(row, 0, 2), gave_up = PQgetvalue(row, 0, 3);
        before.may_live = gave_up == "0" && process != this_process() && !has_ended(process);
    });
    // A writer that has to wait has not acted: should it end, its successor waits for the one before it.
    const auto written =
        session.value_of(fmt::format("UPDATE writer SET epoch = epoch + 1, since = {}{} RETURNING epoch",
                                     now.time_since_epoch().count(), before.may_live ? "" : ", " + acting_now()));
    // Without it, nobody would notice a second writer. Its number is greater than any before, so no lease goes on.
    if (written.empty()) {
        throw Failure("0A000",
                      "ledger.url: the row of the table writer is missing, somebody deleted it: stop every daemon of "
                      "this ledger, wait 15 seconds, and run as the owner of the table: INSERT INTO " +
                          session.value_of("SELECT quote_ident(current_schema())") +
                          ".writer VALUES (1, extract(epoch FROM now())::bigint, '', '', 0, 1)");
    }
    // Whoever writes does not stand by, and one that is gone for a week is not missed any more.
    constexpr std::chrono::days missed{7};
    session.exec(fmt::format("DELETE FROM standby WHERE process = '{}' OR seen < {}", this_process(),
                             (now - missed).time_since_epoch().count()));
    session.commit();
    return before;
}

std::string writer_name(Session& session) {
    if (schema_version(session) == 0) return "which is new";
    const auto name = session.value_of("SELECT holder FROM writer");
    return name.empty() ? "which is new" : name;
}

void renew_lease(Session& session, std::int64_t epoch) {
    session.exec("BEGIN");
    const auto renewed = fmt::format("UPDATE writer SET {} WHERE epoch = {} RETURNING epoch", acting_now(), epoch);
    if (session.value_of(renewed).empty())
        throw Failure("57P01", "another process has become the writer of this ledger");
    session.commit();
}

void give_up_lease(Session& session, std::int64_t epoch) {
    session.exec("BEGIN");
    session.exec(
        fmt::format("UPDATE writer SET gave_up = 1 WHERE epoch = {} AND process = '{}'", epoch, this_process()));
    session.commit();
}

std::vector<std::string> ledger_tables(Session& session) {
    return names(session,
                 "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace "
                 "AND relname NOT IN ('ledger_schema', 'writer', 'standby') ORDER BY oid");
}

// An interrupted `pg_restore --disable-triggers` leaves triggers off, and then rows change unnoticed.
static void require_enabled_triggers(Session& session) {
    const auto disabled = session.value_of(
        "SELECT c.relname || ' has triggers that are off (' || string_agg(t.tgname, ', ') || '): run ALTER TABLE ' || "
        "quote_ident(current_schema()) || '.' || quote_ident(c.relname) || ' ENABLE TRIGGER ALL as superuser, then "
        "drawbridge verify' FROM pg_trigger t JOIN "
        "pg_class c ON c.oid = t.tgrelid WHERE c.relnamespace = current_schema()::regnamespace AND t.tgenabled NOT IN "
        "('O', 'A') GROUP BY c.relname ORDER BY c.relname LIMIT 1");
    if (!disabled.empty()) throw Failure("0A000", "the ledger's table " + disabled);
}

std::vector<std::string> add_digest_triggers(Session& session, const std::vector<std::string>& tables) {
    require_enabled_triggers(session);
    const auto there = names(session,
                             "SELECT c.relname || ' ' || t.tgname FROM pg_trigger t JOIN pg_class c ON c.oid = "
                             "t.tgrelid WHERE c.relnamespace = current_schema()::regnamespace");
    const std::set<std::string> existing(there.begin(), there.end());
    std::string missing;
    std::vector<std::string> followed_in_part;
    for (const auto& table : tables) {
        if (!existing.contains(table + " never_emptied"))
            missing += "CREATE TRIGGER never_emptied BEFORE TRUNCATE ON \"" + table +
                       "\" FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncate();\n";
        const auto triggers = digest_triggers(table);
        std::size_t made = 0;
        for (const auto& [name, sql] : triggers) {
            if (existing.contains(table + " " + name)) continue;
            missing += sql + ";\n";
            ++made;
        }
        if (made > 0 && made < triggers.size()) followed_in_part.push_back(table);
    }
    if (missing.empty()) return {};
    session.begin();
    try {
        session.exec(missing);
        session.commit();
    } catch (const std::exception&) {
        session.roll_back();
        throw;
    }
    return followed_in_part;
}

std::vector<std::string> tables_of_rows_without_their_reference(Session& session) {
    std::vector<std::string> tables;
    for (const auto& [table, column, referred, key] : references_of_schema()) {
        const auto broken = fmt::format(
            "SELECT 1 FROM {0} r LEFT JOIN {2} x ON x.{3} = r.{1} WHERE r.{1} IS NOT NULL AND x.{3} IS NULL", table,
            column, referred, key);
        session.for_each_row(broken, [&](const PGresult* /*row*/) { tables.push_back(table); });
    }
    return tables;
}

std::vector<bool> integer_columns(Session& session, const std::string& table) {
    std::vector<bool> are_integers;
    for (const auto& type : names(session, "SELECT atttypid::regtype FROM pg_attribute WHERE attrelid = '\"" + table +
                                               "\"'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum"))
        are_integers.push_back(type == "bigint");
    return are_integers;
}

void continue_sequences(Session& session) {
    session.exec(R"sql(
        DO $$
        DECLARE
          key record;
        BEGIN
          FOR key IN SELECT a.attrelid::regclass AS table_name, a.attname AS column_name FROM pg_attribute a
              JOIN pg_class c ON c.oid = a.attrelid
              WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attidentity <> ''
          LOOP
            EXECUTE format('SELECT setval(pg_get_serial_sequence(%L, %L), coalesce(max(%I), 0) + 1, false) FROM %s',
                           key.table_name, key.column_name, key.column_name, key.table_name);
          END LOOP;
        END $$)sql");
}

}  // namespace drawbridge::ledger::postgresql
