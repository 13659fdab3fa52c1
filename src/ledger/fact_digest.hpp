// A digest of every table that holds facts, so that the audit chain covers each row: how many rows a table has, and the
// sum of their keyed hashes. Private to this module.
//
// SQLite reports each row that a transaction inserts, updates or deletes, also inside triggers: the hash of the old row
// is subtracted, the hash of the new row added. Before the transaction commits, the sums of the tables that it changed
// are written to fact_digest, each sealed with the ledger's key, and the newest entry of the audit trail,
// "facts.sealed", names one keyed digest over all of them and over the trail so far. A row that is changed behind the
// program's back leaves its table different from its sum for good, whatever the program adds later: `verify` recounts
// and compares.
//
// It never decides what a fact means; a table that it leaves out is named in one list, in fact_digest.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/ledger/ledger.hpp"
#include "drawbridge/ledger/verify.hpp"
#include "sealer.hpp"

namespace drawbridge::ledger {

class Connection;

// Each lane of the sum wraps around by itself. Without the key nobody can find rows that leave it as it is.
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

// The action of the entry that ends what a transaction adds to the audit trail. It is nobody's act.
inline constexpr std::string_view facts_sealed = "facts.sealed";

// Tables whose rows no digest covers: they follow from facts, may be forgotten, or are the trail itself.
[[nodiscard]] std::span<const std::string_view> tables_without_digest();

// What one connection has changed since its last commit.
class FactDigest {
  public:
    // Follows every change from here on. `recorded` is what the ledger's file holds. The connection must outlive this.
    void follow(Connection& connection, TableDigests recorded);
    [[nodiscard]] bool is_following() const { return connection_ != nullptr; }

    // Takes these sums as those of the running transaction; all of them count as changed.
    void replace(const TableDigests& counted);
    [[nodiscard]] TableDigests current() const;
    // Tables that the running transaction changed. Throws when SQLite could not report a change.
    [[nodiscard]] std::vector<std::string> changed() const;
    void committed();
    void rolled_back();

    // Called by SQLite.
    void row_changes(sqlite3* db, int operation, std::string_view table);

  private:
    struct Table {
        // A row that is older than a column holds no value for it; SQLite then reports NULL instead of the default.
        std::vector<std::string> defaults;
        TableDigest recorded, current;
    };

    Connection* connection_ = nullptr;
    std::map<std::string, Table, std::less<>> tables_;
    std::string bytes_;  // of one row; kept, so that a row costs no allocation
    bool all_changed_ = false;
    bool is_incomplete_ = false;
};

// Loads the digests, or makes the first ones from the rows that the ledger holds. Where the stored ones are not those
// that the newest entry of the audit trail names, an entry "facts.differ" says so for good.
void start_fact_digest(Ledger& ledger, Instant now);

// How the rows differ from what was recorded, one line for each table; empty: they do not. Adds the rows counted.
[[nodiscard]] std::vector<std::string> rewritten_facts(Ledger& ledger, std::int64_t& counted);

// In a transaction: makes the digests anew from the rows, with the key that the ledger has now. `differences` are those
// that rewritten_facts() found before: they stay in the audit trail, so that they are not lost with the old digests.
void recount_facts(Ledger& ledger, std::string_view why, const std::vector<std::string>& differences,
                   const Stamp& stamp);

// The same after the tables themselves were changed, in a transaction of its own.
void recount_changed_tables(Ledger& ledger, const std::vector<std::string>& differences, Instant now);

// Last in each transaction: writes the digests that it changed, and the entry of the audit trail that names them.
void seal_facts(Ledger& ledger);

// For `verify`: rows that are not those recorded, digests that the trail does not name, and what was found earlier.
void check_facts(Ledger& ledger, InvariantResult& result);

}  // namespace drawbridge::ledger
