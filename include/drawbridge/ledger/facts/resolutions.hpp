// Matching a confirmation line that fit no payment exactly to a payment, by a person, and undoing a resolution.
//
// The person names the payment; every other check still applies, and the amount must always match. Facts are only
// added: an undone resolution stays in the ledger next to the entry that undid it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/store/ledger.hpp"
#include "drawbridge/reconciliation/proposals.hpp"

namespace drawbridge::ledger {

// The line that an exception is about.
struct RecordedLine {
    std::int64_t line_id = 0;
    std::string file;
    Confirmation confirmation;                    // the fields that the ledger stores
    bool refused = false;                         // it was not applied when its file came in
    std::optional<std::int64_t> payment_id;       // the payment its reference means
    std::optional<std::int64_t> matched_to = {};  // by a person, and not undone
};
[[nodiscard]] std::optional<RecordedLine> line_of_exception(Ledger& ledger, std::int64_t exception_id);

// Payments that a refused line may refer to, with scores; empty for any other line. Considers the newest
// `max_candidates` live payments with its amount.
[[nodiscard]] std::vector<reconciliation::Proposal> proposals_for(Ledger& ledger, const RecordedLine& line,
                                                                  const TimeZone& zone, BusinessDate today,
                                                                  int max_candidates = 1000);

// What a person resolves, and why.
struct Resolution {
    std::int64_t exception_id = 0;
    std::string_view reason;
};

// Applies the exception's line to that payment and closes the exception. Errors: the exception is closed or has no such
// line; no such payment; everything that reconciliation::match_to refuses.
[[nodiscard]] Result<ExceptionRow> match_line(Ledger& ledger, const Resolution& what, std::int64_t payment_id,
                                              const TimeZone& zone, const Stamp& stamp);

// Undoes a person's resolution: the exception is opened again, and a matched payment is as it was before. Errors, each
// with what to do instead: the program closed the exception; the disbursedDate was sent; something depends on the
// resolution by now.
[[nodiscard]] Result<ExceptionRow> undo_resolution(Ledger& ledger, const Resolution& what, const Stamp& stamp);

}  // namespace drawbridge::ledger
