// JSON of the ledger's rows for the operators' API. Private to this module.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "drawbridge/admin/handlers.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/guards.hpp"
#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/ledger/facts/resolutions.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/ledger/reports/draw_states.hpp"
#include "drawbridge/ledger/reports/verify.hpp"

namespace drawbridge::admin {

using nlohmann::json;

[[nodiscard]] json text_or_null(const std::string& text);        // null when empty
[[nodiscard]] json view(const std::optional<Instant>& instant);  // null when absent
[[nodiscard]] json view(const std::optional<Money>& amount);
[[nodiscard]] json view(const ledger::DrawRow& row);
[[nodiscard]] json view(const Draw& draw);  // every field under the service's name
[[nodiscard]] json view(const ledger::TimelineEntry& entry);
[[nodiscard]] json view(ledger::Ledger& ledger, const ledger::ExceptionRow& row);
[[nodiscard]] json view(const ledger::FileRow& row);
[[nodiscard]] json view(const ledger::Maker& maker);
// The file with its makers.
[[nodiscard]] json with_makers(ledger::Ledger& ledger, const ledger::FileRow& row);
[[nodiscard]] json view(const ledger::LastRuns& runs);
[[nodiscard]] json view(const ledger::CountAndCents& part);
[[nodiscard]] json view(const ledger::PayRun& run);
[[nodiscard]] json view(const ledger::InvariantResult& result);
[[nodiscard]] json view(const ledger::StateTotal& total);

// The body of GET /status.
[[nodiscard]] json status_view(AdminContext& context);

}  // namespace drawbridge::admin
