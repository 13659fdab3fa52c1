// Reason codes of exceptions that block `resume` until they are resolved. They paused all money movement, or a restored
// ledger did. The only list of them, as SQL. Private to this module.
#pragma once

#define PAUSE_CAUSES                                                                                             \
    "('duplicate_entry_returned', 'acknowledgment_differs', 'acknowledgment_unsent', 'acknowledgment_missing', " \
    "'acts_lost', 'bank_files_unread')"
