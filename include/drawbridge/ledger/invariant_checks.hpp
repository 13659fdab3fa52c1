// When the invariants were last checked, and what was found: for status, metrics and the schedule.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "drawbridge/ledger/verify.hpp"

namespace drawbridge::ledger {

// Runs verify() and records how many facts it looked at and how many violations it found.
[[nodiscard]] std::vector<InvariantResult> verify_and_record(Ledger& ledger, const Stamp& stamp);

// The same for what was found on a copy, in a transaction. A violation is the exception invariant_violated, which
// closes with the next check that finds none.
inline constexpr std::string_view invariant_violated = "invariant_violated";
void record_checks(Ledger& ledger, const std::vector<InvariantResult>& results, const Stamp& stamp);
// nullopt: never.
[[nodiscard]] std::optional<Instant> last_checked(Ledger& ledger);

struct InvariantCheck {
    int number = 0;
    Instant checked_at;
    std::int64_t violations = 0;
};
// The newest check of each invariant; empty: never checked.
[[nodiscard]] std::vector<InvariantCheck> last_invariant_checks(Ledger& ledger);

}  // namespace drawbridge::ledger
