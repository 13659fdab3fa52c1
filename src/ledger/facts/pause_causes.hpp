// Reason codes of exceptions that pause all money movement automatically, and block `resume` until they are resolved:
// the only list of them, as SQL. Private to this module.
#pragma once

#define PAUSE_CAUSES \
    "('duplicate_entry_returned', 'acknowledgment_differs', 'acknowledgment_unsent', 'acknowledgment_missing')"
