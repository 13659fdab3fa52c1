// The ledger's SQL as PostgreSQL wants it. There is one text of each statement and of the schema, for both engines; it
// differs by the few rules below, which are applied to words and never inside a string. Private to this module.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace drawbridge::ledger::postgresql {

// `?` and `?2` become $1 and $2; an EXISTS gets OFFSET 0, so that the planner looks for one row by an index and never
// reads a whole table ahead; SQLite's hints (INDEXED BY, CROSS JOIN … ON) go; LIKE ignores case; IS compares
// values; IN the ids of a JSON array becomes an array; the temporary schema, the integer type and two functions have
// their other names.
struct Translated {
    std::string text;
    int placeholders = 0;
};
[[nodiscard]] Translated translated(std::string_view sql);

// A column that refers to the key of another table: column INTEGER REFERENCES referred (key).
struct Reference {
    std::string table, column, referred, key;
};

struct SchemaText {
    std::vector<std::string> tables;    // with their indexes, views and first rows, in the schema's order
    std::vector<std::string> triggers;  // with their functions
    std::vector<Reference> references;
};

// The text of a migration. Tables lose STRICT and WITHOUT ROWID; a key that SQLite counts is counted by a sequence; a
// trigger becomes a function and a trigger. REFERENCES becomes triggers, too: PostgreSQL's own foreign keys look for
// each row separately and lock what it refers to, and no row of the ledger that others refer to is ever deleted or
// numbered anew. A later migration declares references only in the tables that it creates.
[[nodiscard]] SchemaText translated_schema(std::string_view migration);
// Of all migrations; read from their text once in a process.
[[nodiscard]] const std::vector<Reference>& references_of_schema();

// The triggers that remember each changed row of `table` for the digest of facts.
struct DigestTrigger {
    std::string name, sql;
};
[[nodiscard]] std::vector<DigestTrigger> digest_triggers(std::string_view table);
// What these triggers need, once per schema.
[[nodiscard]] std::string_view digest_function();
// The tables of a session that hold only what its running transaction changes. draw_moved hides the schema's table of
// that name: temporary rows are not logged, and the commit empties the table at once, where deleted rows would stay
// and slow every later search until a vacuum.
[[nodiscard]] std::string_view session_tables();

}  // namespace drawbridge::ledger::postgresql
