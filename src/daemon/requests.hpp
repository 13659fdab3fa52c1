// The acts and queries behind the operators' API, with or without a daemon.
#pragma once

#include <string>

#include "application.hpp"
#include "drawbridge/admin/handlers.hpp"

namespace drawbridge::daemon {

// The forecast for an approved draw that is not in a payment file.
[[nodiscard]] std::optional<admin::Forecast> forecast(Application& app, DrawId id);

// Both days included.
[[nodiscard]] std::vector<admin::CalendarDay> calendar_days(Application& app, BusinessDate from, BusinessDate to);
// Of what is approved and in no file yet.
[[nodiscard]] admin::NextSettlement next_settlement(Application& app);
// Until when the file can be released and still settle on the earliest of its dates.
[[nodiscard]] std::optional<Instant> settlement_deadline(Application& app, const ledger::FileRow& file);

// The context of the operators' API that `program` serves. Fills in all members except `verify`.
[[nodiscard]] admin::AdminContext admin_context(Application& app, admin::Program& program);

}  // namespace drawbridge::daemon
