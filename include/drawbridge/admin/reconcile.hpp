// The reconciliation report, made in slices over the operators' API: each is over in a moment, so that the daemon goes
// on with its work however long the report is. Also the whole of it in one call, for other programs of this house.
//
//   GET /reconcile?from=&to=&as_of=&overdue_after=&after=   one slice; "next" is the next slice's "after", null: the
//   last
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
    std::optional<Instant> as_of;      // of the first slice's answer; absent: it is the first
    std::int64_t overdue_after_days = 10;
    std::string after;  // where the slice begins; empty: at the beginning
};

// Errors: the period ends before it begins or in the future, `after` is none of ours.
[[nodiscard]] Result<api::ReportSlice> reconcile_slice(AdminContext& context, const ReconcileQuery& query);

// What is left of a report when nobody reads its lines.
struct ReconcileResult {
    reconciliation::ReportHead head;  // head.service says how fresh the service's side is
    reconciliation::Totals totals;
    std::vector<reconciliation::Control> controls;
    [[nodiscard]] std::int64_t differences() const { return totals.differences(); }
    [[nodiscard]] bool adds_up() const { return reconciliation::all_hold(controls); }
};
// The whole report, slice by slice; whatever else waits on this thread has its turn in between.
[[nodiscard]] asio::awaitable<Result<ReconcileResult>> reconcile(AdminContext& context, ReconcileQuery query);

}  // namespace drawbridge::admin
