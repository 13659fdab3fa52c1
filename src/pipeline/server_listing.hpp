// The names on the bank's server as a trace of what was sent. Private to this module.
#pragma once

#include "upload.hpp"

namespace drawbridge::pipeline {

// Lists the server's folder. A file name that only our template makes and that the ledger does not know was sent by a
// ledger that knew more: a restoration begins, and nothing more leaves until it is compared. False: there is none, or
// the server does not let its folder be listed.
[[nodiscard]] asio::awaitable<bool> shows_unknown_file(ServerSession& session);

}  // namespace drawbridge::pipeline
