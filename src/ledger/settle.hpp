// What the bank's line, a person's word about it, or time makes of a payment; and the cases that lines open. Private to
// this module. Everything here is called in a transaction, and after reconciliation::match has let it pass.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "drawbridge/domain/confirmation.hpp"
#include "drawbridge/ledger/exceptions.hpp"
#include "drawbridge/ledger/ledger.hpp"
#include "drawbridge/reconciliation/match.hpp"

namespace drawbridge::ledger {

struct NewSettlement {
    std::int64_t payment_id = 0;
    ConfirmationKind kind = ConfirmationKind::paid;
    std::string_view source = "line";            // "line", "person", "time"
    std::optional<std::int64_t> line_id{};       // absent: by time
    std::optional<std::int64_t> exception_id{};  // of a person
    BusinessDate confirmed_on{};
    Money amount{};
    std::string because{};  // for the audit trail
};
// Records it; a return or void ends the payment.
void settle(Ledger& ledger, const NewSettlement& what, const Stamp& stamp);

// Opens a case about a line, and returns its number. Several entries on one line of a file each get their own.
std::int64_t raise_about_line(Ledger& ledger, ExceptionDetails what, std::int64_t line_id, const Stamp& stamp);
// The open case that `what` would be a repetition of.
[[nodiscard]] std::optional<std::int64_t> open_exception(Ledger& ledger, const ExceptionDetails& what);
// The case about a payment that came to nothing by this line.
void raise_came_back(Ledger& ledger, const reconciliation::Match& match, std::int64_t line_id, std::string subject,
                     const Stamp& stamp);

// "bank.csv (1f0c…) line 12"
[[nodiscard]] std::string line_subject(std::string_view file_name, std::string_view sha256, std::int64_t line);
[[nodiscard]] std::optional<DrawId> draw_of(Ledger& ledger, std::optional<std::int64_t> payment_id);
[[nodiscard]] std::optional<reconciliation::OpenPayment> find_open_payment(Ledger& ledger, std::int64_t payment_id,
                                                                           const TimeZone& zone);
// Everything that earlier confirmations said about a payment.
void add_settlements(Ledger& ledger, const TimeZone& zone, reconciliation::OpenPayment& payment);

}  // namespace drawbridge::ledger
