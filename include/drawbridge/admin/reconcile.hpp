// The reconciliation report in slices over the operators' API. Each slice is short, so the daemon keeps working while a
// long report is made. Also the whole report in one call, for code in the daemon.
//
//   GET /reconcile?from=&to=&as_of=&overdue_after=&after=   one slice; "next" is the next slice's "after", null at
//                                                           the end
#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>
#include <string>
#include <vector>

#include "drawbridge/admin/handlers.hpp"
#include "drawbridge/api/report_slice.hpp"
#include "drawbridge/reconciliation/document.hpp"

namespace drawbridge::admin {

struct ReconcileQuery {
    std::optional<BusinessDate> from;  // absent: the first day of this ledger
    std::optional<BusinessDate> to;    // absent: today
    std::optional<Instant> as_of;      // from the first slice's answer; absent: this is the first
    std::int64_t overdue_after_days = 10;
    std::string after;  // where the slice starts; empty: at the beginning
};

// Errors: the period ends before it begins or in the future, `after` is not a cursor of this report.
[[nodiscard]] Result<api::ReportSlice> reconcile_slice(AdminContext& context, const ReconcileQuery& query);

// A report without its lines.
struct ReconcileResult {
    reconciliation::ReportHead head;  // head.service: how fresh the service's readings are
    reconciliation::Totals totals;
    std::vector<reconciliation::Control> controls;
    [[nodiscard]] std::int64_t differences() const { return totals.differences(); }
    [[nodiscard]] bool adds_up() const { return reconciliation::all_hold(controls); }
};
// Makes the whole report slice by slice. Other work on this thread runs in between.
[[nodiscard]] asio::awaitable<Result<ReconcileResult>> reconcile(AdminContext& context, ReconcileQuery query);

}  // namespace drawbridge::admin
