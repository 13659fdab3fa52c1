// Exceptions: what a person must look at, with a reason code. The same exception is open at most once, and nothing is
// skipped silently.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/draw.hpp"
#include "drawbridge/ledger/store/ledger.hpp"

namespace drawbridge::ledger {

struct ExceptionDetails {
    std::string step;         // as ledger_step() names it: what deliver raises counts as pay
    std::string reason_code;  // "no_payee": one of the catalog (domain/exception_catalog.hpp)
    std::optional<DrawId> draw_id;
    std::optional<std::int64_t> payment_id;
    std::string subject;  // a file, or a line of a file; may be empty
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

[[nodiscard]] std::vector<ExceptionRow> open_exceptions_of_step(Ledger& ledger, DrawId draw_id, std::string_view step);
// Closes the open exceptions of a draw in a step, except those with a reason code in `still_true` and those of a kind
// that lasts; returns how many.
int close_exceptions(Ledger& ledger, DrawId draw_id, std::string_view step, const std::vector<std::string>& still_true,
                     std::string_view reason, const Stamp& stamp);
// Closes the open exceptions of a draw with this reason code.
int close_exceptions_of_reason(Ledger& ledger, DrawId draw_id, std::string_view reason_code, std::string_view reason,
                               const Stamp& stamp);
// Closes the open exceptions about a file, except those that paused all movement: only a person resolves these.
int close_exceptions_of_subject(Ledger& ledger, std::string_view subject, std::string_view reason, const Stamp& stamp);
// Closes the open exceptions about a file with this reason code.
int close_exceptions_of_subject(Ledger& ledger, std::string_view subject, std::string_view reason_code,
                                std::string_view reason, const Stamp& stamp);
// Whether an exception about this subject with this reason code is or was open.
[[nodiscard]] bool had_exception(Ledger& ledger, std::string_view subject, std::string_view reason_code);
// Whether an exception about this subject with this reason code is open.
[[nodiscard]] bool has_open_exception(Ledger& ledger, std::string_view subject, std::string_view reason_code);
// Closes the open exceptions about one payment with this reason code.
int close_exceptions_of_payment(Ledger& ledger, std::int64_t payment_id, std::string_view reason_code,
                                std::string_view reason, const Stamp& stamp);
// Closes the open exceptions about payments of a file.
int close_exceptions_of_payments(Ledger& ledger, std::int64_t file_id, std::string_view reason, const Stamp& stamp);
// The oldest open exception of a step about a payment of a file.
[[nodiscard]] std::optional<ExceptionRow> open_exception_of_payments(Ledger& ledger, std::int64_t file_id,
                                                                     std::string_view step);
// Closes one exception for a person. Errors: unknown, already closed.
[[nodiscard]] Result<ExceptionRow> close_exception(Ledger& ledger, std::int64_t exception_id, std::string_view reason,
                                                   const Stamp& stamp);

[[nodiscard]] std::optional<ExceptionRow> find_exception(Ledger& ledger, std::int64_t exception_id);
[[nodiscard]] std::vector<ExceptionRow> open_exceptions(Ledger& ledger);
// Open exceptions with a greater id, oldest first.
[[nodiscard]] std::vector<ExceptionRow> open_exceptions_after(Ledger& ledger, std::int64_t exception_id, int limit);
[[nodiscard]] std::vector<ExceptionRow> exceptions_of_draw(Ledger& ledger, DrawId id);
// True: a person resolved an exception about exactly this, and nobody undid that. The daemon's closings do not count.
[[nodiscard]] bool is_resolved_by_person(Ledger& ledger, DrawId id, std::string_view reason_code,
                                         std::string_view detail);
[[nodiscard]] std::vector<DrawId> draws_with_open_exceptions(Ledger& ledger, DrawId first = INT64_MIN,
                                                             DrawId last = INT64_MAX);
[[nodiscard]] std::int64_t count_open_exceptions(Ledger& ledger);

// An empty text filters nothing.
struct ExceptionFilter {
    std::string reason_code, step;
    std::optional<Instant> closed_from = {}, closed_before = {};  // of closed ones
    std::int64_t after = 0;  // the exception with this id: open ones by age behind it, closed ones older than it
    int limit = 1000;
};
[[nodiscard]] std::vector<ExceptionRow> list_open_exceptions(Ledger& ledger, const ExceptionFilter& filter);
// Newest first.
[[nodiscard]] std::vector<ExceptionRow> list_closed_exceptions(Ledger& ledger, const ExceptionFilter& filter);
[[nodiscard]] std::int64_t count_exceptions(Ledger& ledger, bool open, const ExceptionFilter& filter);

// The amount of its payment, its line in a confirmation file, or its draw; nullopt: it is about none of them.
[[nodiscard]] std::optional<Money> amount_of_exception(Ledger& ledger, const ExceptionRow& row);

}  // namespace drawbridge::ledger
