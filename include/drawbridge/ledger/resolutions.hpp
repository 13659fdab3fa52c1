// What a person makes of a confirmation line that fitted no payment exactly, and the taking back of a resolution.
//
// A person names the payment; every other check is made all the same, and the amount always decides. Facts are only
// added: what is taken back stays in the ledger beside the words that took it back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/ledger/exceptions.hpp"
#include "drawbridge/ledger/ledger.hpp"
#include "drawbridge/reconciliation/proposals.hpp"

namespace drawbridge::ledger {

// The line that an exception is about.
struct RecordedLine {
    std::int64_t line_id = 0;
    std::string file;
    Confirmation confirmation;                    // as far as the ledger keeps it
    bool refused = false;                         // it was applied to no payment when its file came
    std::optional<std::int64_t> payment_id;       // that its reference means
    std::optional<std::int64_t> matched_to = {};  // by a person, and not taken back
};
[[nodiscard]] std::optional<RecordedLine> line_of_exception(Ledger& ledger, std::int64_t exception_id);

// Payments that a refused line may mean, scored; empty for any other. Of live payments with its amount the newest
// `max_candidates` are looked at.
[[nodiscard]] std::vector<reconciliation::Proposal> proposals_for(Ledger& ledger, const RecordedLine& line,
                                                                  const TimeZone& zone, BusinessDate today,
                                                                  int max_candidates = 1000);

// What a person does about one case, and why.
struct Resolution {
    std::int64_t exception_id = 0;
    std::string_view reason;
};

// Applies the line of the case to that payment, and closes the case. Errors: the case is closed or about no such line;
// no such payment; what reconciliation::match_to has against it.
[[nodiscard]] Result<ExceptionRow> match_line(Ledger& ledger, const Resolution& what, std::int64_t payment_id,
                                              const TimeZone& zone, const Stamp& stamp);

// Takes back what a person resolved: the case is open anew, a payment that was matched is as it was before. Errors,
// each with what to do instead: the program closed it; its disbursedDate went out; something was built on it since.
[[nodiscard]] Result<ExceptionRow> undo_resolution(Ledger& ledger, const Resolution& what, const Stamp& stamp);

}  // namespace drawbridge::ledger
