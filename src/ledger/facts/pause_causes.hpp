// Reason codes of exceptions that block `resume` until they are resolved. They paused all money movement, or a restored
// ledger did. The only list of them, as SQL. Private to this module.
#pragma once

#include "drawbridge/ledger/facts/exceptions.hpp"

// What a restored ledger does not know: nobody may resume despite these.
#define LOST_BY_RESTORE "'acts_lost', 'bank_files_unread'"

#define PAUSE_CAUSES                                                                   \
    "('duplicate_entry_returned', 'acknowledgment_differs', 'acknowledgment_unsent', " \
    "'acknowledgment_missing', 'payee_key_changed', " LOST_BY_RESTORE ")"

namespace drawbridge::ledger {

// Whether this person may close an open exception, if it is one that paused everything. Error (forbidden): once people
// are set up, they reported what the bank says, or had a hand in its draw or file.
[[nodiscard]] Result<void> check_may_close_cause(Ledger& ledger, const ExceptionRow& cause, const Stamp& stamp);

}  // namespace drawbridge::ledger
