// Exceptions: what a person must look at, with a reason code. One open case for the same thing; never a silent skip.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/draw.hpp"
#include "drawbridge/ledger/ledger.hpp"

namespace drawbridge::ledger {

struct ExceptionDetails {
    std::string step;         // as ledger_step() names it: what deliver raises counts as pay
    std::string reason_code;  // "no_payee": one of the catalog (domain/exception_catalog.hpp)
    std::optional<DrawId> draw_id;
    std::optional<std::int64_t> payment_id;
    std::string subject;  // a file, a line of a file; may be empty
    std::string detail;   // what is wrong and what to do, for people
};

struct ExceptionRow {
    std::int64_t exception_id = 0;
    Instant opened_at;
    ExceptionDetails what;
    std::optional<Instant> closed_at;
    std::string closed_by;
    std::string closed_reason;
};

// True when it is new; false when the same exception is open already. A reason code that the catalog lacks, or that
// another step raises, is a bug of the caller (asserted).
bool raise_exception(Ledger& ledger, const ExceptionDetails& what, const Stamp& stamp);

// Closes all open cases of a draw in a step except those with a reason in `still_true`; returns how many it closed.
int close_exceptions(Ledger& ledger, DrawId draw_id, std::string_view step, const std::vector<std::string>& still_true,
                     std::string_view reason, const Stamp& stamp);
// Closes the open cases of a draw that have this reason.
int close_exceptions_of_reason(Ledger& ledger, DrawId draw_id, std::string_view reason_code, std::string_view reason,
                               const Stamp& stamp);
// Closes the open cases about a file, but for those that paused everything: only a person settles these.
int close_exceptions_of_subject(Ledger& ledger, std::string_view subject, std::string_view reason, const Stamp& stamp);
// Closes the open cases about a file that have this reason.
int close_exceptions_of_subject(Ledger& ledger, std::string_view subject, std::string_view reason_code,
                                std::string_view reason, const Stamp& stamp);
// Closes the open cases about one payment that have this reason.
int close_exceptions_of_payment(Ledger& ledger, std::int64_t payment_id, std::string_view reason_code,
                                std::string_view reason, const Stamp& stamp);
// Closes the open cases about payments of a file.
int close_exceptions_of_payments(Ledger& ledger, std::int64_t file_id, std::string_view reason, const Stamp& stamp);
// The oldest open case of a step about a payment of a file.
[[nodiscard]] std::optional<ExceptionRow> open_exception_of_payments(Ledger& ledger, std::int64_t file_id,
                                                                     std::string_view step);
// Closes one case by hand. Errors: unknown, closed already.
[[nodiscard]] Result<ExceptionRow> close_exception(Ledger& ledger, std::int64_t exception_id, std::string_view reason,
                                                   const Stamp& stamp);

[[nodiscard]] std::optional<ExceptionRow> find_exception(Ledger& ledger, std::int64_t exception_id);
[[nodiscard]] std::vector<ExceptionRow> open_exceptions(Ledger& ledger);
// Newer than the exception of that id, oldest first.
[[nodiscard]] std::vector<ExceptionRow> open_exceptions_after(Ledger& ledger, std::int64_t exception_id, int limit);
[[nodiscard]] std::vector<ExceptionRow> exceptions_of_draw(Ledger& ledger, DrawId id);
[[nodiscard]] std::int64_t count_open_exceptions(Ledger& ledger);

}  // namespace drawbridge::ledger
