// Long work lets the other tasks of the event loop run between its parts.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "drawbridge/ledger/store/ledger.hpp"

namespace drawbridge::pipeline {

// Returns after every other task has had several turns of the event loop: an answer to a person takes a few (accept,
// read, answer). Tasks that wait here continue one at a time, in the order in which they came. Throws
// operation_aborted if the task was canceled.
boost::asio::awaitable<void> let_others_run();
// For work that writes into the ledger: also waits while the ledger's log is being emptied.
boost::asio::awaitable<void> let_others_run(ledger::Ledger& ledger);

}  // namespace drawbridge::pipeline
