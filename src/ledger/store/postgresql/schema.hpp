// The ledger's schema in PostgreSQL, and the right to write it: one process at a time, by a lock that lives and dies
// with its connection. Private to this module.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/time.hpp"
#include "store/migrations.hpp"
#include "store/postgresql/session.hpp"

namespace drawbridge::ledger::postgresql {

// False: another session has the lock of this schema.
[[nodiscard]] bool take_writer_lock(Session& session, const std::string& schema);

// 0: there is no ledger yet.
[[nodiscard]] int schema_version(Session& session);

// In a transaction: the tables of the migration and its triggers. The first makes the schema and what only PostgreSQL
// has: the row of its version, the row of its writer, and the processes that stand by.
void create_tables(Session& session, const std::string& schema, const Migration& migration);
void create_triggers(Session& session, const Migration& migration);

// The last writer that may have acted.
struct Predecessor {
    std::int64_t epoch = 0;  // the new writer's is one more
    std::string holder;      // for people; empty: nobody
    bool may_live = false;   // it neither gave its lease up nor is known to have ended
};
// The first write of a process, which waits for every standby that a commit waits for: after a crash of the server a
// commit may be visible that is on no other machine.
Predecessor become_writer(Session& session, Instant now);
// Who acts, or acted last, for people: "hall-1 812".
[[nodiscard]] std::string writer_name(Session& session);
// A commit that the server acknowledges. From then on this process is the one that may have acted. Throws Failure if
// the epoch is not the newest.
void renew_lease(Session& session, std::int64_t epoch);
// Call it only for a process that may have acted.
void give_up_lease(Session& session, std::int64_t epoch);

// Tables of the ledger, without the three that only PostgreSQL has.
[[nodiscard]] std::vector<std::string> ledger_tables(Session& session);
// Makes the triggers of the digest that these tables lack, in one transaction. Returns the tables that had some of
// them, but not all: somebody dropped them, or an earlier version's first start was interrupted. Some changes of their
// rows may be in no digest.
[[nodiscard]] std::vector<std::string> add_digest_triggers(Session& session, const std::vector<std::string>& tables);
// The table of each row that refers to a missing one. The triggers let none in.
[[nodiscard]] std::vector<std::string> tables_of_rows_without_their_reference(Session& session);
// For each column of a table, in order: is it an integer?
[[nodiscard]] std::vector<bool> integer_columns(Session& session, const std::string& table);
// After rows were copied in: the next row that the database numbers is the next.
void continue_sequences(Session& session);

}  // namespace drawbridge::ledger::postgresql
