// The lines of the reconciliation report: where ledger, service and bank agree, what is in flight between them, and
// what differs. Every draw and every payment is on exactly one line, decided from facts alone.
#pragma once

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
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
    sent_before_restore,
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
    settlement_date_passed,
    date_differs,
    exception_open,
    bank_line_unmatched,
    bank_line_in_doubt,
    file_totals_differ,
    file_unknown,
    file_refused,
    general_exception_open,
};
BOOST_DESCRIBE_ENUM(LineClass, pending, held, approving, approved, planned, staged, released, confirmed, disbursed,
                    reported, cancelled, came_back, replaced, voided, bank_duplicate, bank_no_effect,
                    bank_exception_closed, disbursed_before_us, blocked, external, sent_before_restore,
                    cancelled_after_payment, status_went_back, unknown_status, amount_changed_after_payment,
                    amount_disbursed_differs, disbursed_before_release, returned, returned_after_disbursed,
                    paid_never_disbursed, unconfirmed_too_long, unpaid_too_long, settlement_date_passed, date_differs,
                    exception_open, bank_line_unmatched, bank_line_in_doubt, file_totals_differ, file_unknown,
                    file_refused, general_exception_open)
inline constexpr std::size_t line_class_count = static_cast<std::size_t>(LineClass::general_exception_open) + 1;

// "paid_never_disbursed": reports and the API use these names.
[[nodiscard]] std::string_view to_string(LineClass line_class);

struct LineClassInfo {
    LineClass line_class;
    LineGroup group;
    bool terminal;  // nothing more will happen: a line that was already so before the period is not repeated
    std::string_view title;
    std::string_view what_to_do;  // empty: nothing to do
};
[[nodiscard]] const LineClassInfo& words(LineClass line_class);

// Where a payment is on its way from the ledger through the bank to the service.
enum class Bucket { none, in_flight, confirmed, reported, out };

// The amounts that each side counts as disbursed: sent by us, confirmed by the bank, Disbursed at the service.
struct ThreeSides {
    Money ledger, service, bank;
    friend bool operator==(const ThreeSides&, const ThreeSides&) = default;
};
BOOST_DESCRIBE_STRUCT(ThreeSides, (), (ledger, service, bank))

struct Line {
    LineClass line_class = LineClass::pending;
    std::optional<DrawId> draw_id;
    bool counts_draw = false;  // the line is about the draw, not only for one of its payments
    std::optional<std::int64_t> payment_id;
    std::string payment_id_text;  // "P0000000123"
    std::string reference;        // trace number, check number, or what the bank wrote
    std::string file_name;        // the payment file or the bank's file
    std::int64_t file_line = 0;
    std::string name;  // payee, or case if there is no payment
    Money amount;
    ThreeSides sides;
    Bucket bucket = Bucket::none;
    BusinessDate since;
    std::int64_t age_days = 0;  // at the end of the period
    std::string why;            // what differs, for people; empty if the class explains it
    friend bool operator==(const Line&, const Line&) = default;
};
BOOST_DESCRIBE_STRUCT(Line, (),
                      (line_class, draw_id, counts_draw, payment_id, payment_id_text, reference, file_name, file_line,
                       name, amount, sides, since, age_days, why))

// What the report covers.
struct ReportSettings {
    Period period;
    TimeZone zone;
    std::int64_t overdue_after_days = 10;  // in flight longer than this is a difference; checks have their own limit
};

// The lines at the end of `day`: one per payment of the draw. The newest of them, or a line without a payment, counts
// as the draw's. Empty: not seen yet. `reading` is the newest one before that moment.
[[nodiscard]] std::vector<Line> lines_at(const DrawFacts& facts, const std::optional<ReadingFacts>& reading,
                                         BusinessDate day, const ReportSettings& settings);

[[nodiscard]] std::optional<Line> line_of(const BankLineFacts& facts, const ReportSettings& settings);
[[nodiscard]] std::optional<Line> line_of(const PaymentFileFacts& facts, const ReportSettings& settings);
// An exception that is not on the line of a draw, a payment or a bank file.
[[nodiscard]] std::optional<Line> line_of(const ExceptionFacts& facts, const ReportSettings& settings);

// The transitions of a payment between buckets, each with its day, in order; days never go back.
struct PaymentTransition {
    BusinessDate on;
    Bucket from, to;
};
[[nodiscard]] std::vector<PaymentTransition> transitions_of(const PaymentFacts& payment, const TimeZone& zone);

// Whether the exception is about one line of a bank file, so that it appears in that line's place in the report.
[[nodiscard]] bool is_about_bank_line(const ExceptionFacts& facts);

}  // namespace drawbridge::reconciliation
