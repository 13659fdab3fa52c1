// The lines of the reconciliation report: what ledger, service and bank agree on, what is in flight between them, and
// what differs. Every draw and every payment stands on exactly one line; decided from facts alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/reconciliation/facts.hpp"

namespace drawbridge::reconciliation {

enum class LineGroup { differs, in_flight, agrees, not_ours };
[[nodiscard]] std::string_view to_string(LineGroup group);

enum class LineClass {
    // in flight
    pending,
    held,
    approving,
    approved,
    planned,
    staged,
    released,
    confirmed,
    disbursed,
    // agree
    reported,
    cancelled,
    came_back,
    replaced,
    voided,
    bank_duplicate,
    bank_no_effect,
    bank_exception_closed,
    // not ours
    disbursed_before_us,
    // differ
    blocked,
    external,
    cancelled_after_payment,
    status_went_back,
    unknown_status,
    amount_changed_after_payment,
    amount_disbursed_differs,
    disbursed_before_release,
    returned,
    returned_after_disbursed,
    paid_never_disbursed,
    unconfirmed_too_long,
    unpaid_too_long,
    date_differs,
    exception_open,
    bank_line_unmatched,
    bank_line_in_doubt,
    file_totals_differ,
    file_unknown,
    file_refused,
    general_exception_open,
};
inline constexpr std::size_t line_class_count = static_cast<std::size_t>(LineClass::general_exception_open) + 1;

struct LineClassWords {
    LineClass line_class;
    std::string_view name;  // stable: "paid_never_disbursed"
    LineGroup group;
    bool terminal;  // nothing more is to come of it: a line that was so before the period is not repeated
    std::string_view title;
    std::string_view what_to_do;  // empty: nothing
};
[[nodiscard]] const LineClassWords& words(LineClass line_class);
[[nodiscard]] std::optional<LineClass> find_line_class(std::string_view name);

// Where a payment is on its way from the ledger over the bank to the service.
enum class Bucket { none, in_flight, confirmed, reported, out };

// What each side counts as disbursed: sent by us, confirmed by the bank, Disbursed at the service.
struct ThreeWays {
    Money ledger, service, bank;
    friend bool operator==(const ThreeWays&, const ThreeWays&) = default;
};

struct Line {
    LineClass line_class = LineClass::pending;
    std::optional<DrawId> draw_id;
    bool counts_draw = false;  // the line is that of the draw, not only of a payment of it
    std::optional<std::int64_t> payment_id;
    std::string payment_id_text;  // "P0000000123"
    std::string reference;        // trace number, check number, or what the bank wrote
    std::string file_name;        // the payment file or the bank's file
    std::int64_t file_line = 0;
    std::string name;  // payee, or case where there is no payment
    Money amount;
    ThreeWays sides;
    Bucket pot = Bucket::none;
    BusinessDate since;
    std::int64_t age_days = 0;  // at the end of the period
    std::string why;            // what differs, for people; empty where the class says it all
    friend bool operator==(const Line&, const Line&) = default;
};

// What the report was asked for.
struct ReportSettings {
    Period period;
    TimeZone zone;
    std::int64_t overdue_after_days = 10;  // what is in flight longer is a difference; checks have their own limit
};

// At the end of `day`: one line for each payment of the draw; the newest of them, or one without a payment, is that of
// the draw. Empty: not seen yet.
// `reading` is the newest one before that moment.
[[nodiscard]] std::vector<Line> lines_at(const DrawFacts& facts, const std::optional<ReadingFacts>& reading,
                                         BusinessDate day, const ReportSettings& settings);

[[nodiscard]] std::optional<Line> line_of(const BankLineFacts& facts, const ReportSettings& settings);
[[nodiscard]] std::optional<Line> line_of(const PaymentFileFacts& facts, const ReportSettings& settings);
// A case that stands on no line of a draw, a payment or the bank.
[[nodiscard]] std::optional<Line> line_of(const ExceptionFacts& facts, const ReportSettings& settings);

// The steps of a payment's way, each with its day, in order; days never go back.
struct Step {
    BusinessDate on;
    Bucket from, to;
};
[[nodiscard]] std::vector<Step> steps_of(const PaymentFacts& payment, const TimeZone& zone);

// The exceptions that are about one line of the bank's file and stand on that line's place in the report.
[[nodiscard]] bool is_about_bank_line(const ExceptionFacts& facts);

}  // namespace drawbridge::reconciliation
