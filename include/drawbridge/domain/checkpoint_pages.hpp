// After how many pages of its log the ledger's file takes them in. Only the test program `drawbridge-crash` can change
// that: it links crash_points_on.cpp, which reads DRAWBRIDGE_CHECKPOINT_PAGES.
#pragma once

namespace drawbridge {

[[nodiscard]] int checkpoint_pages(int standard);

}  // namespace drawbridge
