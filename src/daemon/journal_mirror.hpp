// Tells the journal what the audit trail records, each row as a message of its kind with its draw, payment, file and
// rule. It decides nothing and writes no ledger.
#pragma once

#include <cstdint>

#include "drawbridge/ledger/ledger.hpp"
#include "log.hpp"

namespace drawbridge::daemon {

class JournalMirror {
  public:
    // What is recorded from now on.
    JournalMirror(ledger::Ledger& ledger, Log log);
    // Everything since the last call. A flood at a level that is shown anyway is cut off with a count; the rest is at
    // level debug.
    void tell();

  private:
    ledger::Ledger& ledger_;
    Log log_;
    std::int64_t told_;
};

}  // namespace drawbridge::daemon
