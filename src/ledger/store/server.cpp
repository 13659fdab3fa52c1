#include "drawbridge/ledger/store/server.hpp"

#include <fmt/format.h>

#include "store/postgresql/session.hpp"

namespace drawbridge::ledger {

Result<ServerSeen> see_server(const PostgresqlAddress& address) {
    try {
        postgresql::Session session(address);
        return ServerSeen{.name = session.server(),
                          .version = session.value_of("SELECT split_part(current_setting('server_version'), ' ', 1)"),
                          .waits_for = session.value_of("SHOW synchronous_standby_names")};
    } catch (const postgresql::Failure& failure) {
        return fail(ErrorCode::unavailable, failure.what());
    }
}

std::optional<std::string> why_writes_wait(const PostgresqlAddress& address) {
    try {
        postgresql::Session session(address);
        const auto seconds = session.value_of(
            "SELECT CAST(floor(extract(epoch FROM max(clock_timestamp() - query_start))) AS bigint) FROM "
            "pg_stat_activity WHERE application_name = 'drawbridge' AND wait_event = 'SyncRep'");
        if (seconds.empty()) return std::nullopt;
        return fmt::format(
            "a commit has waited {} s for a standby of the PostgreSQL server {} ({}): nothing is paid until one is "
            "back",
            seconds, session.server(), session.value_of("SHOW synchronous_standby_names"));
    } catch (const postgresql::Failure& failure) {
        return failure.what();
    }
}

}  // namespace drawbridge::ledger
