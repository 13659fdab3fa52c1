// What the bank says that it received, compared with what was released. The same count and the same total are evidence
// that the bank has the file; anything else pauses all movement of money, whoever brings it: somebody may have changed
// the file on its way. It never compares more than the bank tells, and a match counts only as somebody's word.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/pipeline/context.hpp"
#include "drawbridge/statements/read.hpp"

namespace drawbridge::pipeline {

enum class AcknowledgmentOutcome {
    matches,
    repeated,  // it matches, and was acknowledged before: nothing changes
    differs,   // the count or the total is another
    refused,   // there is no such file, it was not sent, or nobody in particular says it
};
[[nodiscard]] std::string_view to_string(AcknowledgmentOutcome outcome);  // "matches"

struct Comparison {
    statements::Acknowledgment said{};  // of an encrypted file: by the name of what is in it
    AcknowledgmentOutcome outcome = AcknowledgmentOutcome::refused;
    ErrorCode code = ErrorCode::conflict;  // refused: why
    std::string detail{};                  // for people: both counts and totals, or what is in the way
};

// What recording it in the name of `by` would come to; without `by`: of somebody whose word counts. Changes nothing.
[[nodiscard]] Comparison compare(ledger::Ledger& ledger, statements::Acknowledgment said,
                                 const std::optional<ledger::Stamp>& by);
// In a transaction: a match is recorded as evidence, a difference pauses and is an exception. What is refused changes
// nothing. `source` is what stands before the numbers in the evidence: the bank's file, or a person's reason.
Comparison record_acknowledgment(ledger::Ledger& ledger, const statements::Acknowledgment& said,
                                 std::string_view source, const ledger::Stamp& stamp);
// A line of the bank's file, which nobody waits for an answer to: what is refused is an exception too.
Comparison record_line_of_bank(ledger::Ledger& ledger, const statements::Acknowledgment& said,
                               std::string_view file_name, const ledger::Stamp& stamp);
// A person's word. Errors: what is refused.
[[nodiscard]] Result<Comparison> acknowledge(Context& context, const statements::Acknowledgment& said,
                                             std::string_view reason, const ledger::Stamp& stamp);

// Where the bank must acknowledge in time: each file that is overdue raises one exception, once, and pauses. How many.
std::int64_t watch_acknowledgments(Context& context);

}  // namespace drawbridge::pipeline
