// What commands say about the server of a ledger in PostgreSQL. It takes no lock and writes nothing.
#pragma once

#include <optional>
#include <string>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/ledger/store/engine.hpp"

namespace drawbridge::ledger {

struct ServerSeen {
    std::string name;     // "db1.example.gov port 5432", the one that takes writes
    std::string version;  // "15.18"
    // What commits wait for, as PostgreSQL has it: `synchronous_standby_names`. Empty: for nobody, so a commit may be
    // lost with the server.
    std::string waits_for;
};
// Errors: it cannot be reached, or its database does not suit.
[[nodiscard]] Result<ServerSeen> see_server(const PostgresqlAddress& address);
// For people: why a daemon that writes this ledger does not answer, where the server is the cause. nullopt: it is not.
[[nodiscard]] std::optional<std::string> why_writes_wait(const PostgresqlAddress& address);

}  // namespace drawbridge::ledger
