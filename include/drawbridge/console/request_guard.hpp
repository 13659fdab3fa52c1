// Decides whether a request comes from the console's own pages. Pure.
#pragma once

#include <optional>
#include <string_view>

#include "drawbridge/console/web.hpp"

namespace drawbridge::console {

// A request that changes anything must come from a page of `origin`, as its Origin says and, if the browser sends it,
// Sec-Fetch-Site. A form on a page that sends no referrer has the Origin "null"; then Sec-Fetch-Site decides. Other
// sites may not even read the scripts' addresses. nullopt: the request is allowed; otherwise: why it is not.
[[nodiscard]] std::optional<std::string_view> cross_site_fault(const WebRequest& request, std::string_view origin);

}  // namespace drawbridge::console
