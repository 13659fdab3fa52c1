// Reason codes of exceptions that block `resume` until they are resolved. They paused all money movement, or a restored
// ledger did. The only list of them, as SQL. Private to this module.
#pragma once

// What a restored ledger does not know: nobody may resume despite these.
#define LOST_BY_RESTORE "'acts_lost', 'bank_files_unread'"

#define PAUSE_CAUSES                                                                   \
    "('duplicate_entry_returned', 'acknowledgment_differs', 'acknowledgment_unsent', " \
    "'acknowledgment_missing', " LOST_BY_RESTORE ")"
