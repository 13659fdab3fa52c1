// What pauses all movement of money by itself, and keeps `resume` from being said before it is settled: the one list of
// these reason codes, as SQL. Private to this module.
#pragma once

#define PAUSE_CAUSES "('duplicate_entry_returned', 'acknowledgment_differs', 'acknowledgment_missing')"
