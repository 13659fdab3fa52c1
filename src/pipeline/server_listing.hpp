// The names on the bank's server, as a trace of what was sent. Private to this module.
#pragma once

#include "upload.hpp"

namespace drawbridge::pipeline {

// Lists the server's folder. A file name that only our template makes and that this ledger does not know was sent by a
// later copy of the ledger: a restoration starts, and nothing leaves until it is compared. False: there is no such
// name, or the server does not allow listing (ServerSession::unlisted). Error: it cannot list it now.
[[nodiscard]] asio::awaitable<Result<bool>> has_unknown_file(ServerSession& session);

}  // namespace drawbridge::pipeline
