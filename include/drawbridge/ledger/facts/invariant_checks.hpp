// The results of invariant checks: for status, metrics and the schedule.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "drawbridge/ledger/reports/verify.hpp"

namespace drawbridge::ledger {

// Records results that were found on a copy, in a transaction. A violation raises the exception invariant_violated,
// which the next check of all invariants without violations closes.
inline constexpr std::string_view invariant_violated = "invariant_violated";
void record_checks(Ledger& ledger, const std::vector<InvariantResult>& results, const Stamp& stamp);
// When all of them were checked; nullopt: never. The check of a backup is about the ledger alone.
[[nodiscard]] std::optional<Instant> last_checked(Ledger& ledger);

struct InvariantCheck {
    std::int64_t number = 0;
    Instant checked_at;
    std::int64_t violations = 0;
};
// The newest check of each invariant; empty: never checked.
[[nodiscard]] std::vector<InvariantCheck> last_invariant_checks(Ledger& ledger);

}  // namespace drawbridge::ledger
