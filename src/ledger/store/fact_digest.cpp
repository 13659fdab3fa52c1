#include "store/fact_digest.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>

#include "drawbridge/ledger/facts/invariant_checks.hpp"
#include "drawbridge/text/show.hpp"
#include "store/connection.hpp"
#include "store/postgresql/schema.hpp"
#include "store/postgresql/stored_text.hpp"

namespace drawbridge::ledger {
namespace {

constexpr std::string_view without_digest[] = {
    "audit",        // the chain itself
    "fact_digest",  // these digests
    // follow from the facts; invariants 3 and 7 recount them
    "draw_moved", "draw_standing", "state_age", "state_total", "confirmation_sum",  //
    "staged_line",                                                                  // a queue
    "poll_sweep", "step_run",  // idle runs and sweeps are deleted, and each poll adds one
    "stored_piece",            // deleted with the archive's files; other rows have their hash
};

constexpr std::string_view digest_field = "fact_digest.digest";
constexpr std::string_view counted_action = "facts.counted";
constexpr std::string_view differ_action = "facts.differ";
constexpr std::string_view subject = "facts";

void append_number(std::string& bytes, std::uint64_t number) {
    std::array<char, sizeof number> little_endian{};
    for (std::size_t at = 0; at < little_endian.size(); ++at)
        little_endian[at] = static_cast<char>(number >> (8 * at));
    bytes.append(little_endian.data(), little_endian.size());
}

void append_text(std::string& bytes, std::string_view text) {
    append_number(bytes, text.size());
    bytes += text;
}

// A value of a row, in either of the two forms that SQLite has. Text is read as a blob, so that SQLite does not copy
// it.
class ChangedValue {
  public:
    explicit ChangedValue(sqlite3_value* value) : value_(value) {}
    [[nodiscard]] int type() const { return sqlite3_value_type(value_); }
    [[nodiscard]] std::int64_t integer() const { return sqlite3_value_int64(value_); }
    [[nodiscard]] const void* content() const { return sqlite3_value_blob(value_); }
    [[nodiscard]] int size() const { return sqlite3_value_bytes(value_); }

  private:
    sqlite3_value* value_;
};
class ReadValue {
  public:
    explicit ReadValue(SQLite::Column column) : column_(std::move(column)) {}
    [[nodiscard]] int type() const { return column_.getType(); }
    [[nodiscard]] std::int64_t integer() const { return column_.getInt64(); }
    [[nodiscard]] const void* content() const { return column_.getBlob(); }
    [[nodiscard]] int size() const { return column_.getBytes(); }

  private:
    SQLite::Column column_;
};

// Type, length and content, so that different rows never have the same bytes.
template <class Value>
void append_value(std::string& bytes, const Value& value) {
    const int type = value.type();
    bytes.push_back(static_cast<char>('0' + type));
    if (type == SQLITE_NULL) return;
    if (type == SQLITE_INTEGER) return append_number(bytes, static_cast<std::uint64_t>(value.integer()));
    const auto* content = static_cast<const char*>(value.content());
    const auto size = static_cast<std::size_t>(value.size());
    append_text(bytes, size == 0 ? std::string_view() : std::string_view(content, size));
}

void begin_row(std::string& bytes, std::string_view table) {
    bytes.assign("row ");
    append_text(bytes, table);
}

void append_text_value(std::string& bytes, const std::string* value, bool is_integer) {
    const int type = value == nullptr ? SQLITE_NULL : is_integer ? SQLITE_INTEGER : SQLITE_TEXT;
    bytes.push_back(static_cast<char>('0' + type));
    if (value == nullptr) return;
    if (!is_integer) return append_text(bytes, postgresql::text_from_store(*value));
    std::int64_t number = 0;
    std::from_chars(value->data(), value->data() + value->size(), number);
    append_number(bytes, static_cast<std::uint64_t>(number));
}

std::vector<std::string> tables_of(Database& db) {
    if (db.is_postgresql()) return postgresql::ledger_tables(db.postgresql());
    Statement all(db, "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
    std::vector<std::string> tables;
    while (all.next())
        tables.push_back(all.text(0));
    return tables;
}

std::vector<std::string> fact_tables(Database& db) {
    auto tables = tables_of(db);
    std::erase_if(tables, [](const std::string& name) {
        return std::ranges::find(without_digest, name) != std::end(without_digest);
    });
    return tables;
}

// A row as PostgreSQL writes it, (7,"a text","",): a value that is not there is NULL, and within quotes a quote or a
// backslash is doubled. The bytes are those of SQLite's values.
void append_row(std::string& bytes, std::string_view row, const std::vector<bool>& integer_columns) {
    std::size_t at = 1;
    std::string text;
    for (const bool is_integer : integer_columns) {
        text.clear();
        bool is_null = row[at] == ',' || row[at] == ')';
        bool quoted = false;
        for (; quoted || (row[at] != ',' && row[at] != ')'); ++at) {
            const bool is_double = quoted && (row[at] == '"' || row[at] == '\\') && row[at + 1] == row[at];
            if (is_double) {
                ++at;
            } else if (row[at] == '"') {
                quoted = !quoted;
                continue;
            }
            text += row[at];
        }
        ++at;
        append_text_value(bytes, is_null ? nullptr : &text, is_integer);
    }
}

using ColumnDefaults = std::map<std::string, std::vector<std::string>, std::less<>>;

// For each table the encoded defaults of the columns that are NOT NULL and have one, in order; empty for others, and
// no more columns than needed.
ColumnDefaults defaults_of_columns(Database& either) {
    ColumnDefaults defaults;
    if (either.is_postgresql()) return defaults;
    auto& db = either.sqlite();
    std::map<std::string, std::string> encoded;  // many columns have the same default
    // Few tables have any; looking at the columns of each would take longer than all else.
    SQLite::Statement columns(db, R"sql(
        SELECT t.name, c.cid, c.dflt_value
        FROM main.sqlite_schema t
        JOIN pragma_table_info(t.name) c
        WHERE t.type = 'table' AND t.sql LIKE '%default%' AND c."notnull" AND c.dflt_value IS NOT NULL)sql");
    while (columns.executeStep()) {
        const auto standard = columns.getColumn(2).getString();
        const auto [known, is_new] = encoded.try_emplace(standard);
        if (is_new) {
            SQLite::Statement value(db, "SELECT " + standard);
            value.executeStep();
            append_value(known->second, ReadValue(value.getColumn(0)));
        }
        auto& of_table = defaults[columns.getColumn(0).getString()];
        const auto column = static_cast<std::size_t>(columns.getColumn(1).getInt());
        if (of_table.size() <= column) of_table.resize(column + 1);
        of_table[column] = known->second;
    }
    return defaults;
}

TableDigest count_rows_of_schema(Connection& connection, const std::string& table) {
    auto& session = connection.db.postgresql();
    const auto integer_columns = postgresql::integer_columns(session, table);
    TableDigest digest;
    std::string bytes;
    session.for_each_row("SELECT r::text FROM \"" + table + "\" r", [&](const PGresult* row) {
        begin_row(bytes, table);
        append_row(bytes, PQgetvalue(row, 0, 0), integer_columns);
        digest.add(connection.sealer->hash_of_fact(bytes));
    });
    return digest;
}

TableDigest count_rows(Connection& connection, const std::string& table) {
    if (connection.db.is_postgresql()) return count_rows_of_schema(connection, table);
    TableDigest digest;
    SQLite::Statement rows(connection.db.sqlite(), "SELECT * FROM main.\"" + table + "\"");
    std::string bytes;
    while (rows.executeStep()) {
        begin_row(bytes, table);
        for (int column = 0; column < rows.getColumnCount(); ++column)
            append_value(bytes, ReadValue(rows.getColumn(column)));
        digest.add(connection.sealer->hash_of_fact(bytes));
    }
    return digest;
}

TableDigests count_all(Connection& connection) {
    TableDigests counted;
    for (const auto& table : fact_tables(connection.db))
        counted.emplace(table, count_rows(connection, table));
    return counted;
}

std::string to_text(const TableDigest& digest) {
    return fmt::format("{} {:016x} {:016x} {:016x} {:016x}", digest.rows, digest.sum[0], digest.sum[1], digest.sum[2],
                       digest.sum[3]);
}

// Parses the output of to_text(). It was sealed, so nobody else wrote it.
TableDigest parse_digest(std::string_view text) {
    TableDigest digest;
    const char* at = text.data();
    const char* const end = at + text.size();
    at = std::from_chars(at, end, digest.rows).ptr;
    for (auto& lane : digest.sum)
        at = std::from_chars(std::min(at + 1, end), end, lane, 16).ptr;
    return digest;
}

struct StoredDigests {
    TableDigests tables;
    std::vector<std::string> faults;  // digests that do not open
};

StoredDigests stored_digests(Connection& connection) {
    StoredDigests stored;
    Statement rows(connection.db, "SELECT table_name, rows, digest FROM fact_digest ORDER BY table_name");
    while (rows.next()) {
        const auto table = rows.text(0);
        const auto text = connection.sealer->open(digest_field, table, rows.text(2));
        const auto digest = text ? parse_digest(*text) : TableDigest();
        if (!text || digest.rows != rows.integer(1))
            stored.faults.push_back("the digest of " + table + " does not open: it was changed or swapped");
        stored.tables.emplace(table, digest);
    }
    return stored;
}

// One digest over all tables and over the audit trail up to the entry that will contain it.
std::string digest_of_all(const Sealer& sealer, const TableDigests& tables, std::int64_t seq,
                          std::string_view previous) {
    std::string bytes = "all ";
    append_number(bytes, static_cast<std::uint64_t>(seq));
    append_text(bytes, previous);
    for (const auto& [table, digest] : tables) {
        if (digest == TableDigest()) continue;
        append_text(bytes, table);
        append_text(bytes, to_text(digest));
    }
    const auto hash = sealer.hash_of_fact(bytes);
    return fmt::format("digest {:016x}{:016x}{:016x}{:016x}", hash[0], hash[1], hash[2], hash[3]);
}

// Every transaction ends with an audit entry that contains the digest of all facts, so the newest entry must match what
// is stored. nullopt: it does.
std::optional<std::string> fault_of_trail(Connection& connection, const TableDigests& stored) {
    Statement newest(connection.db,
                     "SELECT a.seq, coalesce((SELECT b.hash FROM audit b WHERE b.seq = a.seq - 1), ?), a.action, "
                     "a.detail FROM audit a ORDER BY a.seq DESC LIMIT 1");
    newest.bind(1, connection.ledger_id);
    if (!newest.next()) return "the audit trail is empty: its entries were removed";
    const auto seq = newest.integer(0);
    const auto digest = digest_of_all(*connection.sealer, stored, seq, newest.text(1));
    if (newest.text(2) == facts_sealed && newest.text(3) == digest) return std::nullopt;
    return fmt::format(
        "the newest entry of the audit trail, {}, does not name the digests of the facts: one of them, or the trail, "
        "was rewritten",
        seq);
}

bool trail_has_digests(Connection& connection) {
    Statement entry(connection.db, "SELECT 1 FROM audit WHERE subject = ? LIMIT 1");
    entry.bind(1, std::string(subject));
    return entry.next();
}

std::string difference(const std::string& table, const TableDigest& found, const TableDigest& recorded) {
    if (found.rows == recorded.rows) {
        return fmt::format("the rows of {} are not those that were recorded: {} rows, as recorded, with other values",
                           table, found.rows);
    }
    return fmt::format("the rows of {} are not those that were recorded: {} rows, {} were recorded", table, found.rows,
                       recorded.rows);
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const auto& line : lines)
        text += (text.empty() ? "" : "; ") + line;
    return text;
}

// The audit entry stays, and the exception stays open until a check finds nothing.
void record_difference(Ledger& ledger, const std::vector<std::string>& lines, const Stamp& stamp) {
    audit(ledger, stamp, differ_action, subject, joined(lines));
    record_checks(ledger, {{5, std::string(facts_title), 0, lines}}, stamp);
}

void on_change(void* digest, sqlite3* db, int operation, const char* schema, const char* table, sqlite3_int64,
               sqlite3_int64) noexcept {
    if (std::string_view(schema) == "main") static_cast<FactDigest*>(digest)->row_changes(db, operation, table);
}

}  // namespace

void TableDigest::add(const FactHash& row) {
    ++rows;
    for (std::size_t lane = 0; lane < sum.size(); ++lane)
        sum[lane] += row[lane];
}

void TableDigest::subtract(const FactHash& row) {
    --rows;
    for (std::size_t lane = 0; lane < sum.size(); ++lane)
        sum[lane] -= row[lane];
}

std::span<const std::string_view> tables_without_digest() {
    return without_digest;
}

std::vector<std::string> FactDigest::follow(Connection& connection, TableDigests recorded) {
    tables_.clear();
    const auto names = fact_tables(connection.db);
    auto defaults = defaults_of_columns(connection.db);
    for (const auto& name : names) {
        Table table{std::move(defaults[name]), {}, recorded[name], recorded[name]};
        if (connection.db.is_postgresql())
            table.integer_columns = postgresql::integer_columns(connection.db.postgresql(), name);
        tables_.emplace(name, std::move(table));
    }
    connection_ = &connection;
    if (connection.db.is_postgresql()) return postgresql::add_digest_triggers(connection.db.postgresql(), names);
    sqlite3_preupdate_hook(connection.db.sqlite().getHandle(), on_change, this);
    return {};
}

void FactDigest::replace(const TableDigests& counted) {
    for (const auto& [name, digest] : counted)
        tables_.at(name).current = digest;
    all_changed_ = true;
    // What changed before is counted already.
    if (connection_->db.is_postgresql()) connection_->db.exec("DELETE FROM pg_temp.changed_row");
}

void FactDigest::collect() {
    if (!connection_->db.is_postgresql()) return;
    const char* const all = "SELECT table_name, is_new, content FROM pg_temp.changed_row";
    connection_->db.postgresql().for_each_row(all, [&](const PGresult* row) {
        const std::string_view name = PQgetvalue(row, 0, 0);
        const bool is_new = std::string_view(PQgetvalue(row, 0, 1)) == "1";
        auto& table = tables_.find(name)->second;
        begin_row(bytes_, name);
        append_row(bytes_, PQgetvalue(row, 0, 2), table.integer_columns);
        const auto hash = connection_->sealer->hash_of_fact(bytes_);
        if (is_new) {
            table.current.add(hash);
        } else {
            table.current.subtract(hash);
        }
    });
}

TableDigests FactDigest::current() const {
    TableDigests all;
    for (const auto& [name, table] : tables_)
        all.emplace(name, table.current);
    return all;
}

std::vector<std::string> FactDigest::changed() const {
    if (is_incomplete_) throw std::runtime_error("SQLite did not report what a transaction changed in the ledger");
    std::vector<std::string> names;
    for (const auto& [name, table] : tables_) {
        if (all_changed_ || table.current != table.recorded) names.push_back(name);
    }
    return names;
}

void FactDigest::committed() {
    for (auto& [name, table] : tables_)
        table.recorded = table.current;
    all_changed_ = false;
}

void FactDigest::rolled_back() {
    for (auto& [name, table] : tables_)
        table.current = table.recorded;
    all_changed_ = false;
    is_incomplete_ = false;
}

void FactDigest::row_changes(sqlite3* db, int operation, std::string_view name) {
    // The program writes facts only in transactions. Other changes are not recorded, so `verify` finds them.
    if (!connection_->in_transaction) return;
    const auto found = tables_.find(name);
    if (found == tables_.end()) return;
    auto& table = found->second;
    const int columns = sqlite3_preupdate_count(db);
    const auto hash = [&](auto&& value_of, bool is_old) {
        begin_row(bytes_, name);
        for (int column = 0; column < columns; ++column) {
            sqlite3_value* value = nullptr;
            if (value_of(db, column, &value) != SQLITE_OK || value == nullptr) {
                is_incomplete_ = true;
                return FactHash();
            }
            const auto number = static_cast<std::size_t>(column);
            const bool has_default = number < table.defaults.size() && !table.defaults[number].empty();
            if (is_old && has_default && sqlite3_value_type(value) == SQLITE_NULL) {
                bytes_ += table.defaults[number];
            } else {
                append_value(bytes_, ChangedValue(value));
            }
        }
        return connection_->sealer->hash_of_fact(bytes_);
    };
    if (operation != SQLITE_INSERT) table.current.subtract(hash(sqlite3_preupdate_old, /*is_old=*/true));
    if (operation != SQLITE_DELETE) table.current.add(hash(sqlite3_preupdate_new, /*is_old=*/false));
}

void start_fact_digest(Ledger& ledger, Instant now) {
    auto& connection = ledger.connection();
    auto stored = stored_digests(connection);
    const Stamp stamp{now, "drawbridge"};
    if (stored.tables.empty()) {
        // A new ledger: its first digests are written with the first audit entry about them.
        std::vector<std::string> faults;
        if (trail_has_digests(connection)) faults.emplace_back("the digests of all tables were removed");
        connection.facts.follow(connection, {});
        ledger.transaction([&] { recount_facts(ledger, "a new ledger", faults, stamp); });
        return;
    }
    auto faults = std::move(stored.faults);
    if (auto fault = fault_of_trail(connection, stored.tables)) faults.push_back(*std::move(fault));
    for (const auto& table : connection.facts.follow(connection, std::move(stored.tables))) {
        const auto found = count_rows(connection, table);
        const auto& recorded = connection.facts.current(table);
        if (found == recorded) continue;
        faults.push_back(difference(table, found, recorded) +
                         ": a trigger that follows its changes was missing, because an earlier version's first start "
                         "was interrupted, or because somebody dropped it");
    }
    if (faults.empty()) return;
    ledger.transaction([&] { record_difference(ledger, faults, stamp); });
}

std::vector<std::string> rewritten_facts(Ledger& ledger, std::int64_t& counted) {
    auto& connection = ledger.connection();
    auto stored = stored_digests(connection);
    std::vector<std::string> differences = std::move(stored.faults);
    for (const auto& [table, found] : count_all(connection)) {
        counted += found.rows;
        const auto node = stored.tables.extract(table);
        const auto recorded = node ? node.mapped() : TableDigest();
        if (found != recorded) differences.push_back(difference(table, found, recorded));
    }
    for (const auto& [table, recorded] : stored.tables)
        differences.push_back(difference(table, TableDigest(), recorded) + ": the table is missing");
    return differences;
}

void recount_facts(Ledger& ledger, std::string_view why, const std::vector<std::string>& differences,
                   const Stamp& stamp) {
    assert_in_transaction(ledger);
    auto& connection = ledger.connection();
    if (!differences.empty()) record_difference(ledger, differences, stamp);
    connection.db.exec("DELETE FROM fact_digest");  // also for dropped tables
    const auto counted = count_all(connection);
    std::int64_t rows = 0;
    for (const auto& [table, digest] : counted)
        rows += digest.rows;
    connection.facts.replace(counted);
    audit(ledger, stamp, counted_action, subject,
          fmt::format("{} in {}: {}", text::counted(rows, "row"),
                      text::counted(static_cast<std::int64_t>(counted.size()), "table"), why));
}

void recount_changed_tables(Ledger& ledger, const std::vector<std::string>& differences, Instant now) {
    auto& connection = ledger.connection();
    connection.facts.follow(connection, {});
    ledger.transaction([&] {
        recount_facts(ledger, fmt::format("the tables are those of schema {} now", ledger.schema_version()),
                      differences, {now, "drawbridge"});
    });
}

void seal_facts(Ledger& ledger) {
    auto& connection = ledger.connection();
    if (!connection.facts.is_following()) return;
    connection.facts.collect();
    const auto changed = connection.facts.changed();
    if (changed.empty() && connection.audit_seq == connection.committed_seq) return;
    const auto current = connection.facts.current();
    for (const auto& table : changed) {
        const auto& digest = current.at(table);
        Query(ledger,
              R"sql(
            INSERT INTO fact_digest (table_name, rows, digest)
            VALUES (?, ?, ?)
            ON CONFLICT (table_name) DO UPDATE SET rows = excluded.rows, digest = excluded.digest)sql",
              table, digest.rows, connection.sealer->seal(digest_field, table, to_text(digest)))
            .run();
    }
    audit(ledger, {connection.newest_act_at, "drawbridge"}, facts_sealed, subject,
          digest_of_all(*connection.sealer, current, connection.audit_seq + 1, connection.audit_head));
}

void check_facts(Ledger& ledger, InvariantResult& result) {
    auto& connection = ledger.connection();
    for (auto& line : rewritten_facts(ledger, result.checked))
        result.violations.push_back(std::move(line));
    if (auto fault = fault_of_trail(connection, stored_digests(connection).tables))
        result.violations.push_back(*std::move(fault));
    Query found_before(ledger, "SELECT seq, detail FROM audit WHERE subject = ? AND action = ? ORDER BY seq", subject,
                       differ_action);
    while (found_before.next())
        result.violations.push_back(
            fmt::format("entry {} of the audit trail: {}", found_before.integer(0), found_before.text(1)));
}

}  // namespace drawbridge::ledger
