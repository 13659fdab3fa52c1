// What ledger, service and bank say of one draw and its payments: what the reconciliation report is made of. Facts
// only; what they mean is decided in lines.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "drawbridge/domain/confirmation.hpp"
#include "drawbridge/domain/draw.hpp"
#include "drawbridge/domain/money.hpp"
#include "drawbridge/domain/time.hpp"

namespace drawbridge::reconciliation {

// Both days included, in the office's zone. Only what was recorded before `as_of` counts, whatever its date: while a
// long report is made the ledger may grow, and the report does not.
struct Period {
    BusinessDate from;
    BusinessDate to;
    Instant as_of;
    friend bool operator==(const Period&, const Period&) = default;
};

// The draw as the service showed it last before a moment.
struct ReadingFacts {
    std::int64_t reading_id = 0;
    DrawStatus status = DrawStatus::not_submitted;
    std::optional<Money> amount_requested, amount_approved, amount_disbursed;
    std::optional<Instant> approved_date, disbursed_date;
    Instant read_at;
};

// On whose word: a line of the bank that fitted by itself, a person's about a line, or time without a return.
enum class SettledBy { line, person, time };

// What the bank, or an act of ours, made of a payment.
struct SettledFact {
    BusinessDate on;  // the bank's day
    Instant recorded_at;
    SettledBy by = SettledBy::line;
};

struct PaymentFacts {
    std::int64_t payment_id = 0;
    std::string payment_id_text;  // "P0000000123"
    Money amount;
    std::string reference;  // its trace number or check number
    bool is_check = false;
    std::string payee_name;
    std::string file_name;
    Instant made_at;  // its file was planned
    std::optional<Instant> staged_at, released_at;
    std::optional<Instant> file_voided_at;  // the file never went out
    std::optional<SettledFact> paid, returned, voided;
    std::optional<Instant> ended_at;  // by a return, a void, or an order of ours that reached the bank
    std::optional<Instant> reported_at;
    std::optional<Instant> reissue_ordered_at;
};

struct DecisionFacts {
    Instant decided_at;
    bool approve = false;
    bool refused = false;   // the service refused the approval, or it came to nothing
    bool approved = false;  // the service took it
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

struct DrawFacts {
    DrawId draw_id = 0;
    std::int64_t workflow_id = 0;
    std::string case_name;
    Instant first_seen_at;
    // Disbursed already when it was first seen, before the ledger had seen all draws once.
    bool disbursed_before_us = false;
    std::optional<ReadingFacts> opening;  // before the period began
    std::optional<ReadingFacts> closing;  // before it ended
    std::vector<PaymentFacts> payments;   // oldest first
    std::optional<DecisionFacts> decision;
    std::vector<ExceptionFacts> cases;
    std::optional<Instant> told_date;  // the disbursedDate that the service has taken from us
    std::optional<Instant> told_at;
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
    bool payment_is_paid = false;  // by another line
    std::string reason_code;
    std::string detail;
    std::optional<Instant> exception_closed_at;  // of the exception about this line
    std::string exception_closed_reason;
};

// A payment file beside the payments that are in it and what the bank said of those.
struct PaymentFileFacts {
    std::int64_t file_id = 0;
    std::string name;
    Instant made_at;
    std::optional<Instant> released_at, voided_at;
    std::string released_by;         // empty: not released
    std::string makers;              // who had which hand in it; empty: nobody
    std::int64_t payment_count = 0;  // as the file says
    Money total;
    std::int64_t row_count = 0;  // as its payments say
    Money row_total;
    // At the end of the period: paid by the bank, ended (came back, voided), neither.
    std::int64_t paid_count = 0, ended_count = 0, open_count = 0;
    Money paid, ended, open;
};

}  // namespace drawbridge::reconciliation
