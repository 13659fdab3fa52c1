// How many pages SQLite's log may have before they are copied into the ledger's file. Only the test program
// `drawbridge-crash` can change that: it links crash_points_on.cpp, which reads DRAWBRIDGE_CHECKPOINT_PAGES.
#pragma once

namespace drawbridge {

[[nodiscard]] int checkpoint_pages(int standard);

}  // namespace drawbridge
