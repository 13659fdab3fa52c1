// Copies new audit trail rows to the journal, each as a message of its kind with its draw, payment, file and rule. It
// makes no decisions and never writes to the ledger.
#pragma once

#include <cstdint>

#include "drawbridge/daemon/log.hpp"
#include "drawbridge/ledger/store/ledger.hpp"

namespace drawbridge::daemon {

class JournalMirror {
  public:
    // Starts with the rows that the last process may have been killed before it logged: some may be logged twice.
    JournalMirror(ledger::Ledger& ledger, Log log);
    // Copies all rows since the last call. Limits the number of rows above level debug and logs the count of the rest.
    void mirror();

  private:
    ledger::Ledger& ledger_;
    Log log_;
    std::int64_t last_copied_;
};

}  // namespace drawbridge::daemon
