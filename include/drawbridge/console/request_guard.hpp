// Whether a request comes from the console's own pages. Pure.
#pragma once

#include <optional>
#include <string_view>

#include "drawbridge/console/web.hpp"

namespace drawbridge::console {

// What changes anything must come from a page of `origin`: its Origin says so and, where the browser sends it,
// Sec-Fetch-Site too. A form of a page without referrer has the Origin "null": then Sec-Fetch-Site alone must say so.
// Scripts' addresses are closed to other sites even for reading. nullopt: it may go on; otherwise why not.
[[nodiscard]] std::optional<std::string_view> cross_site_fault(const WebRequest& request, std::string_view origin);

}  // namespace drawbridge::console
