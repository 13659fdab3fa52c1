// Today's card about Drawbridge itself: what runs, what answers, what failed. Private to this module.
#pragma once

#include "drawbridge/pages/context.hpp"
#include "drawbridge/pages/html.hpp"

namespace drawbridge::pages {

// From the answer of /status.
[[nodiscard]] Html system_card(const PageContext& page, const Json& status);

}  // namespace drawbridge::pages
