// Decides which connections and large bodies the console has room for, and who leaves when there are too many. Private
// to this module.
#pragma once

#include <string_view>

#include "browser_connection.hpp"
#include "drawbridge/console/settings.hpp"

namespace drawbridge::console {

// Whether one more connection may come from this address. If there are too many in all, the one that has been silent or
// slow the longest is closed.
[[nodiscard]] bool admit(Connections& connections, std::string_view address, const Limits& limits);
// Whether one more large body may be on its way from this address.
[[nodiscard]] bool has_room_for_large_body(const Connections& connections, std::string_view address,
                                           const Limits& limits);

}  // namespace drawbridge::console
