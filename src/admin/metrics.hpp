// What a monitoring system reads: the text format of Prometheus. Private to this room.
#pragma once

#include <string>

#include "drawbridge/admin/handlers.hpp"

namespace drawbridge::admin {

// Draws and cents by stage, open exceptions, whether money moves, and how the last reload went.
[[nodiscard]] std::string metrics_text(AdminContext& context);

}  // namespace drawbridge::admin
