#include "drawbridge/ledger/store/server.hpp"

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

}  // namespace drawbridge::ledger
