// A ledger in PostgreSQL and the hosts around it: the one that waits and watches, and the one that has just taken over.
//
// A standby host keeps its own traces, from what it sees in the ledger. It must write down only what no
// failure of the server can take back: note_standby() commits after it has looked, and the server acknowledges that
// commit only when everything before it is on every machine that a commit waits for.
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "drawbridge/ledger/store/ledger.hpp"

namespace drawbridge::ledger {

// Another host wrote this ledger last, and files that the ledger names may not be on this host. Nothing may be done
// with files before record_takeover().
[[nodiscard]] bool is_taken_over(const Ledger& ledger);
// In a transaction, when the files are here: from now on this is the ledger's host.
void record_takeover(Ledger& ledger, const Stamp& stamp);

// The process on another host that wrote this ledger last: a process here that opens it to write takes it over.
// nullopt: this host wrote last. Takes no lock and writes nothing, because a process that stands by here has the state
// folder. Errors: as open_reader().
[[nodiscard]] Result<std::optional<std::string>> writer_on_another_host(const std::filesystem::path& state_dir,
                                                                        const PostgresqlAddress& address,
                                                                        const std::optional<SealingKey>& key);

// Opens a ledger that another process may write, for reading. It locks the state folder. Errors: as Ledger::open(); the
// server has no ledger, or one of another schema.
[[nodiscard]] Result<Ledger> open_reader(const std::filesystem::path& state_dir, const PostgresqlAddress& address,
                                         const std::optional<SealingKey>& key);
// All that `read` sees is of one moment.
void read_at_once(Ledger& reader, const std::function<void()>& read);

// What a host would work with: the SHA-256 of its settings, rules and payees.
struct HostInputs {
    std::string settings, rules, payees;
};
// Records that this process is a standby. On return all that was read before is durable.
void note_standby(Ledger& reader, const HostInputs& inputs, Instant now);

struct StandbySeen {
    std::string host;
    Instant seen_at;
    std::int64_t entries_behind = 0;  // of the audit trail, when it was seen
    // "settings", "rules", "payees": those that differ from the writer's.
    std::vector<std::string> differs;
};
BOOST_DESCRIBE_STRUCT(StandbySeen, (), (host, seen_at, entries_behind, differs))

// A standby of the server. Without the role pg_monitor, only its name is known.
struct ServerStandby {
    std::string name, state, sync;  // sync: "sync", "quorum", "async", "potential"
    std::optional<std::int64_t> lag_ms;
};
BOOST_DESCRIBE_STRUCT(ServerStandby, (), (name, state, sync, lag_ms))

// The writer, the waiting hosts and the server's standbys of a ledger in PostgreSQL.
struct Hosts {
    std::string writer;          // "hall-1 812", the process that acts or acted last
    Instant since;               // when this process became the writer
    std::int64_t takeovers = 0;  // how often a process did
    std::vector<StandbySeen> standbys;
    std::vector<ServerStandby> server_standbys;
    bool owns_tables = false;  // its role could drop the triggers that keep facts from being rewritten
};
BOOST_DESCRIBE_STRUCT(Hosts, (), (writer, since, takeovers, standbys, server_standbys, owns_tables))
// `inputs`: the writer's. nullopt: the ledger is a file.
[[nodiscard]] std::optional<Hosts> hosts_of(Ledger& ledger, const HostInputs& inputs);

}  // namespace drawbridge::ledger
