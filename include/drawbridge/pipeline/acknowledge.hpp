// Compares what the bank acknowledges with what was released. The same count and total are evidence that the bank has
// the file. A difference pauses all money movement, no matter who reports it: the file may have been altered on its
// way. So does a line of the bank's file about a file that it should not have. Only count and total are compared, and a
// match counts only from a named person or the bank's own file.
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
    repeated,  // it matches and was acknowledged before: nothing changes
    differs,   // the count or the total differs
    unsent,    // the bank should not have the file: it was voided, or is not released or not delivered
    refused,   // no such file, or not reported by a named person
};
[[nodiscard]] std::string_view to_string(AcknowledgmentOutcome outcome);  // "matches"

struct Comparison {
    statements::Acknowledgment acknowledgment{};  // an encrypted file goes by the name of the payment file inside
    AcknowledgmentOutcome outcome = AcknowledgmentOutcome::refused;
    ErrorCode code = ErrorCode::conflict;  // the reason, if refused
    std::string detail{};                  // for people: both counts and totals, or the reason
};

// What recording the acknowledgment by `by` would do. Without `by`: by anyone who may acknowledge. Changes nothing.
[[nodiscard]] Comparison compare(ledger::Ledger& ledger, statements::Acknowledgment acknowledgment,
                                 const std::optional<ledger::Stamp>& by);
// In a transaction. Records a match as evidence; a difference pauses and raises an exception; a refusal or an unsent
// file changes nothing. `source` precedes the numbers in the evidence: the bank's file, or a person's reason.
Comparison record_acknowledgment(ledger::Ledger& ledger, const statements::Acknowledgment& acknowledgment,
                                 std::string_view source, const ledger::Stamp& stamp);
// One line of the bank's file. A refusal raises an exception too, because nobody waits for an answer, and an unsent
// file pauses.
Comparison record_bank_line(ledger::Ledger& ledger, const statements::Acknowledgment& acknowledgment,
                            std::string_view file_name, const ledger::Stamp& stamp);
// A person's acknowledgment. Error: it is refused, or the file is unsent (the person may have mistaken the name).
[[nodiscard]] Result<Comparison> acknowledge(Context& context, const statements::Acknowledgment& acknowledgment,
                                             std::string_view reason, const ledger::Stamp& stamp);

// If the bank must acknowledge in time: each overdue file raises one exception and pauses. Returns the overdue files.
std::int64_t watch_acknowledgments(Context& context);

}  // namespace drawbridge::pipeline
