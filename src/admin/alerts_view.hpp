// Alerts in the operators' API: what was told, what waits, a test. Private to this room.
#pragma once

#include "views.hpp"

namespace drawbridge::admin {

// GET /alerts: the newest `limit` messages with what became of them.
[[nodiscard]] json alerts_view(AdminContext& context, int limit);
// For status: the ways that are configured, and what has not gone out by each.
[[nodiscard]] json alert_ways_view(AdminContext& context);
[[nodiscard]] json view(const std::vector<AlertTest>& tests);

}  // namespace drawbridge::admin
