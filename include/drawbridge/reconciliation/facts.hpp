// What the ledger, the service and the bank say about a draw and its payments: the input of the reconciliation report.
// Facts only; lines.hpp decides what they mean.
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "drawbridge/domain/confirmation.hpp"
#include "drawbridge/domain/draw.hpp"
#include "drawbridge/domain/money.hpp"
#include "drawbridge/domain/time.hpp"

namespace drawbridge::reconciliation {

// Both days are included, in the office's zone. Only facts recorded before `as_of` count, regardless of their date: the
// ledger may grow while a long report is made, but the report does not.
struct Period {
    BusinessDate from;
    BusinessDate to;
    Instant as_of;
    friend bool operator==(const Period&, const Period&) = default;
};
BOOST_DESCRIBE_STRUCT(Period, (), (from, to, as_of))

// The last reading of the draw before a given moment.
struct ReadingFacts {
    std::int64_t reading_id = 0;
    DrawStatus status = DrawStatus::not_submitted;
    std::optional<Money> amount_requested, amount_approved, amount_disbursed;
    std::optional<Instant> approved_date, disbursed_date;
    Instant read_at;
};

// What settled it: a bank line that matched automatically, a person's decision about a line, or time without a return.
enum class SettledBy { line, person, time };

// How a payment was settled, by the bank or by our own action.
struct SettledFact {
    BusinessDate on;  // the bank's day
    Instant recorded_at;
    SettledBy by = SettledBy::line;
};

struct PaymentFacts {
    std::int64_t payment_id = 0;
    std::string payment_id_text;  // "P0000000123"
    Money amount;
    std::string reference;  // trace number or check number
    bool is_check = false;
    std::string payee_name;
    std::string file_name;
    Instant made_at;  // when its file was planned
    std::optional<Instant> staged_at, released_at;
    std::optional<Instant> file_voided_at;  // the file was never sent
    std::optional<SettledFact> paid, returned, voided;
    std::optional<Instant> ended_at;  // by a return, a void, or an order of ours that reached the bank
    std::optional<Instant> reported_at;
    std::optional<Instant> reissue_ordered_at;
    std::optional<Instant> settlement_missed_at;  // its file was found to be too late for its settlement date
};

struct DecisionFacts {
    Instant decided_at;
    bool approve = false;
    bool refused = false;   // the service refused the approval, or it had no effect
    bool approved = false;  // the service accepted it
    std::string reason;
};

struct ExceptionFacts {
    std::int64_t exception_id = 0;
    Instant opened_at;
    std::optional<Instant> closed_at;
    std::string step;
    std::string reason_code;
    std::string subject;
    std::string detail;
    std::optional<DrawId> draw_id;
    std::optional<std::int64_t> payment_id;
    std::string payment_id_text;
    Money amount;  // of the payment that it is about; zero: none
};

// A payment that went out after the backup that the ledger was restored from.
struct SentBeforeFacts {
    Instant at;        // when its file was released
    std::string text;  // file, amount and number
};

struct DrawFacts {
    DrawId draw_id = 0;
    std::int64_t workflow_id = 0;
    std::string case_name;
    Instant first_seen_at;
    // Already disbursed when first seen, before the ledger had seen all draws once.
    bool disbursed_before_us = false;
    std::optional<ReadingFacts> opening;  // before the period began
    std::optional<ReadingFacts> closing;  // before it ended
    std::vector<PaymentFacts> payments;   // oldest first
    std::vector<SentBeforeFacts> sent_before;
    std::optional<DecisionFacts> decision;
    std::vector<ExceptionFacts> exceptions;
    std::optional<Instant> reported_date;  // the disbursedDate that the service accepted from us
    std::optional<Instant> date_reported_at;
};

// One line of a confirmation file.
struct BankLineFacts {
    std::int64_t line_id = 0;
    std::string file_name;
    Instant file_recorded_at;
    std::int64_t line = 0;
    std::string payment_reference;
    ConfirmationKind kind = ConfirmationKind::paid;
    Money amount;
    std::string currency;
    BusinessDate confirmed_on;
    std::string outcome;  // applied, duplicate, exception, recorded
    std::optional<std::int64_t> payment_id;
    std::string payment_id_text;
    std::optional<DrawId> draw_id;
    bool payment_is_paid = false;     // by another line
    bool payment_is_settled = false;  // what happened to it is stated, and not only assumed by time
    std::string reason_code;
    std::string detail;
    std::optional<Instant> exception_closed_at;  // of the exception about this line
    std::string exception_closed_reason;
};

// A payment file, its payments, and what the bank reported about them.
struct PaymentFileFacts {
    std::int64_t file_id = 0;
    std::string name;
    Instant made_at;
    std::optional<Instant> released_at, voided_at;
    std::string released_by;         // empty: not released
    std::string makers;              // everyone who had a hand in it; empty: nobody
    std::int64_t payment_count = 0;  // from the file's row
    Money total;
    std::int64_t row_count = 0;  // from its payments' rows
    Money row_total;
    // At the end of the period: paid by the bank, ended (returned or voided), or neither.
    std::int64_t paid_count = 0, ended_count = 0, open_count = 0;
    Money paid, ended, open;
};
BOOST_DESCRIBE_STRUCT(PaymentFileFacts, (),
                      (name, made_at, released_at, voided_at, released_by, makers, payment_count, total, row_count,
                       row_total, paid_count, paid, ended_count, ended, open_count, open))

}  // namespace drawbridge::reconciliation
