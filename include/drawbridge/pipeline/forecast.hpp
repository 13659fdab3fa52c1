// When money would move if nothing changes: an approved draw, what is approved now, a staged file; and the banking
// calendar with its cut-offs.
#pragma once

#include <boost/describe/class.hpp>
#include <optional>
#include <string>
#include <vector>

#include "drawbridge/disbursement/cutoffs.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::pipeline {

[[nodiscard]] disbursement::CutoffPlan cutoff_plan(const Shared& shared);

// When a draw would be paid and settle, and why.
struct Forecast {
    std::optional<Instant> run_at;
    std::optional<BusinessDate> effective_entry_date;  // ACH only
    std::string because;
};
BOOST_DESCRIBE_STRUCT(Forecast, (), (run_at, effective_entry_date, because))
// nullopt: the draw is not approved, or it is in a payment file.
[[nodiscard]] std::optional<Forecast> forecast(const Shared& shared, DrawId id);

// When what is approved and in no file yet would be planned, and would settle by ACH.
struct NextSettlement {
    std::optional<Instant> run_at;
    std::optional<BusinessDate> settles_on;
    std::string because;
};
[[nodiscard]] NextSettlement next_settlement(const Shared& shared);

// Until when the file can be released and still settle on the earliest of its dates. nullopt: it has none, or it is too
// late.
[[nodiscard]] std::optional<Instant> settlement_deadline(const Shared& shared, const ledger::FileRow& file);

// Why the file would not settle on all of its dates if it were sent now; nullopt: it would, or it has no date.
[[nodiscard]] std::optional<std::string> missed_settlement(ledger::Ledger& ledger,
                                                           const disbursement::PlanSettings& plan,
                                                           const ledger::FileRow& file, Instant now);

// A day of the banking calendar.
struct CalendarDay {
    BusinessDate date;
    bool is_banking_day = false;
    std::string closed_for;        // "Thanksgiving Day", "Sunday", "pay.closures"; empty: it is a banking day
    std::vector<Instant> cutoffs;  // of that day
};
// Both days included.
[[nodiscard]] std::vector<CalendarDay> calendar_days(const Shared& shared, BusinessDate from, BusinessDate to);

}  // namespace drawbridge::pipeline
