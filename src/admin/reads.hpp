// The routes that only read and have no header of their own, by source file. Private to this module.
#pragma once

#include "call.hpp"
#include "drawbridge/ledger/facts/payments.hpp"

namespace drawbridge::admin {

// queries.cpp: one row, or a page of rows, as the ledger has them.
[[nodiscard]] Answer get_runs(AdminContext& context, const Call& call);
[[nodiscard]] Answer get_draw(AdminContext& context, const Call& call);
[[nodiscard]] Answer get_exception(AdminContext& context, const Call& call);
[[nodiscard]] Answer get_exceptions(AdminContext& context, const Call& call);
[[nodiscard]] Answer get_backups(AdminContext& context, const Call& call);
[[nodiscard]] Answer get_alerts(AdminContext& context, const Call& call);
[[nodiscard]] Answer get_reconcile(AdminContext& context, const Call& call);

// draw_list.cpp: GET /draws: the selection, its order and its page.
[[nodiscard]] Answer get_draws(AdminContext& context, const Call& call);

// confirmations_view.cpp: the files that the bank sent, and what became of each line.
[[nodiscard]] Answer get_confirmations(AdminContext& context, const Call& call);
[[nodiscard]] Answer get_confirmation(AdminContext& context, const Call& call);

// calendar_view.cpp: banking days, cut-offs, and cash by the day on which it settles.
[[nodiscard]] Answer get_calendar(AdminContext& context, const Call& call);
[[nodiscard]] Answer get_forecast(AdminContext& context, const Call& call);
// The file would not settle on its date if it were sent now.
[[nodiscard]] bool missed_settlement(const AdminContext& context, const ledger::FileRow& file);

// audit_view.cpp: GET /audit: the audit trail, newest first.
[[nodiscard]] Answer get_audit(AdminContext& context, const Call& call);

// overview.cpp: what a page asks all the time, and what a person asks in a hurry.
[[nodiscard]] Answer get_pulse(AdminContext& context);
[[nodiscard]] Answer find_anything(AdminContext& context, const Call& call);

// openapi.cpp: the operators' API as an OpenAPI 3.1 document, made from the table of routes.
[[nodiscard]] Answer openapi(AdminContext& context);

}  // namespace drawbridge::admin
