// The effect of a bank line, a person's match or the passing of time on a payment, and the exceptions that lines raise.
// Private to this module. Call everything here in a transaction, after reconciliation::match accepted it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "drawbridge/domain/confirmation.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/store/ledger.hpp"
#include "drawbridge/reconciliation/match.hpp"

namespace drawbridge::ledger {

struct NewSettlement {
    std::int64_t payment_id = 0;
    ConfirmationKind kind = ConfirmationKind::paid;
    std::string_view source = "line";            // "line", "person", "time"
    std::optional<std::int64_t> line_id{};       // nullopt: by time
    std::optional<std::int64_t> exception_id{};  // by a person
    BusinessDate confirmed_on{};
    Money amount{};
    std::string because{};  // for the audit trail
};
// A debit that was read after the payment's return, and is dated before it: recorded without an effect.
struct EarlierDebit {
    std::int64_t line_id = 0;
    BusinessDate confirmed_on;
    Money amount;
};
[[nodiscard]] std::optional<EarlierDebit> debit_before_return(Ledger& ledger, std::int64_t payment_id);

// Records the settlement; a return or void ends the payment. One that our order to void or stop its check ended is live
// again if it was paid, and the exceptions that ask whether to pay again close.
void settle(Ledger& ledger, const NewSettlement& what, const Stamp& stamp);
void end(Ledger& ledger, std::int64_t payment_id, const Stamp& stamp);
void revive(Ledger& ledger, std::int64_t payment_id);
// Whether an order to void or stop its check went out.
[[nodiscard]] bool is_order_transmitted(Ledger& ledger, std::int64_t payment_id);
// For the audit trail.
[[nodiscard]] std::string settled_by(const std::string& because, Money amount, BusinessDate on);
// For the payments that the lines from `first_line` on confirmed: those whose draws were reported before are finished.
void finish_those_reported_before(Ledger& ledger, std::int64_t first_line, const Stamp& stamp);
// For the payments that came back on the lines from `first_line` on: they end, and who handed in the file is a maker.
void end_those_that_came_back(Ledger& ledger, std::int64_t first_line, const Stamp& stamp);

// Raises an exception about a line and returns its id. Several entries on one line of a file each get their own.
std::int64_t raise_about_line(Ledger& ledger, ExceptionDetails what, std::int64_t line_id, const Stamp& stamp);
// The open exception that `what` would repeat.
[[nodiscard]] std::optional<std::int64_t> open_exception(Ledger& ledger, const ExceptionDetails& what);
// Raises the exception about a payment that came back on this line.
void raise_came_back(Ledger& ledger, const reconciliation::Match& match, std::int64_t line_id, std::string subject,
                     const Stamp& stamp);

// "bank.csv (1f0c…) line 12"
[[nodiscard]] std::string line_subject(std::string_view file_name, std::string_view sha256, std::int64_t line);
[[nodiscard]] std::optional<DrawId> draw_of(Ledger& ledger, std::optional<std::int64_t> payment_id);
[[nodiscard]] std::optional<reconciliation::OpenPayment> find_open_payment(Ledger& ledger, std::int64_t payment_id,
                                                                           const TimeZone& zone);
// Adds what earlier confirmations recorded about the payment.
void add_settlements(Ledger& ledger, const TimeZone& zone, reconciliation::OpenPayment& payment);

}  // namespace drawbridge::ledger
