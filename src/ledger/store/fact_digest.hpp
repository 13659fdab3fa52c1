// A digest of every table of facts, so that the audit chain covers each row: the table's row count and the sum of the
// keyed hashes of its rows. Private to this module.
//
// SQLite reports each row that a transaction inserts, updates or deletes, also inside triggers; in PostgreSQL triggers
// keep them in a temporary table. The hash of the old row is subtracted and the hash of the new row is added; it is
// over the same bytes on both, so that a ledger keeps its digests when it moves. Before the transaction commits, the
// sums of the changed tables are written to fact_digest, each sealed with the ledger's key. The newest entry of the
// audit trail, "facts.sealed", contains one keyed digest over all of them and over the trail so far. A row that is
// changed outside the program leaves its table different from its sum for good, whatever the program adds later:
// `verify` recounts and compares.
//
// It never decides what a fact means. Tables that it leaves out are listed in fact_digest.cpp.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/ledger/reports/verify.hpp"
#include "drawbridge/ledger/store/ledger.hpp"
#include "store/sealer.hpp"

namespace drawbridge::ledger {

class Connection;

// Each lane of the sum wraps around. Without the key nobody can find rows that leave it unchanged.
struct TableDigest {
    std::int64_t rows = 0;
    FactHash sum{};

    void add(const FactHash& row);
    void subtract(const FactHash& row);
    friend bool operator==(const TableDigest&, const TableDigest&) = default;
};

using TableDigests = std::map<std::string, TableDigest, std::less<>>;

// The title of invariant 5.
inline constexpr std::string_view facts_title = "facts are only added; the audit chain covers every row";

// The action of the entry that ends each transaction's part of the audit trail. It is nobody's act.
inline constexpr std::string_view facts_sealed = "facts.sealed";

// Tables without a digest: they follow from facts, may be deleted from, or are the trail itself.
[[nodiscard]] std::span<const std::string_view> tables_without_digest();

// The changes of one connection since its last commit.
class FactDigest {
  public:
    // Follows every change from now on. `recorded` is what the file has. The connection must outlive this object.
    // Returns the tables of which, in PostgreSQL, not every change was followed before.
    std::vector<std::string> follow(Connection& connection, TableDigests recorded);
    [[nodiscard]] bool is_following() const { return connection_ != nullptr; }

    // Replaces the sums of the running transaction; all tables count as changed.
    void replace(const TableDigests& counted);
    [[nodiscard]] TableDigests current() const;
    // Differs after each change of the table; in PostgreSQL, after each commit that changed it.
    [[nodiscard]] const TableDigest& current(std::string_view table) const {
        return tables_.find(table)->second.current;
    }
    // Tables that the running transaction changed. Throws when SQLite could not report a change.
    [[nodiscard]] std::vector<std::string> changed() const;
    void committed();
    void rolled_back();

    // PostgreSQL keeps the changed rows until they are asked for, before the commit.
    void collect();
    // Called by SQLite.
    void row_changes(sqlite3* db, int operation, std::string_view table);

  private:
    struct Table {
        // For a row older than a column, SQLite reports NULL in place of the column's default. Encoded; empty, or
        // beyond the end: the column has none.
        std::vector<std::string> defaults;
        std::vector<bool> integer_columns;  // in PostgreSQL, which reports texts
        TableDigest recorded, current;
    };

    Connection* connection_ = nullptr;
    std::map<std::string, Table, std::less<>> tables_;
    std::string bytes_;  // of one row; reused to avoid an allocation per row
    bool all_changed_ = false;
    bool is_incomplete_ = false;
};

// Loads the digests, or creates them for a new ledger. If the stored digests are not those that the newest audit entry
// names, an entry "facts.differ" records that for good.
void start_fact_digest(Ledger& ledger, Instant now);

// How the rows differ from the recorded digests, one line per table; empty: they do not. Adds the number of rows
// counted.
[[nodiscard]] std::vector<std::string> rewritten_facts(Ledger& ledger, std::int64_t& counted);

// In a transaction: recomputes the digests from the rows, with the current key. `differences` come from
// rewritten_facts() before; they go into the audit trail, so that they are not lost with the old digests.
void recount_facts(Ledger& ledger, std::string_view why, const std::vector<std::string>& differences,
                   const Stamp& stamp);

// The same after a migration changed the tables, in a transaction of its own.
void recount_changed_tables(Ledger& ledger, const std::vector<std::string>& differences, Instant now);

// The last step of each transaction: writes the changed digests and the audit entry that names them.
void seal_facts(Ledger& ledger);

// For `verify`: rows that differ from the record, digests that the trail does not name, and earlier findings.
void check_facts(Ledger& ledger, InvariantResult& result);

}  // namespace drawbridge::ledger
