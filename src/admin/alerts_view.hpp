// Alerts in the operators' API: sent alerts, waiting alerts, test results. Private to this module.
#pragma once

#include "page.hpp"
#include "views.hpp"

namespace drawbridge::admin {

// GET /alerts: the messages, newest first, with what became of them.
[[nodiscard]] json alerts_view(AdminContext& context, const Page& page);
// For status: the ways that are configured, and what has not gone out by each.
[[nodiscard]] records::AlertChannels alert_channels(AdminContext& context);
[[nodiscard]] json tests_view(const std::vector<AlertTest>& tests);

}  // namespace drawbridge::admin
