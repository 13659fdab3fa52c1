// The sum over all draws: seen = finished + in flight + exceptions, in draws and to the cent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "drawbridge/domain/money.hpp"

namespace drawbridge::reconciliation {

struct StageTotal {
    std::string stage;  // as the ledger's stage view names it
    std::int64_t count = 0;
    Money amount;
    friend bool operator==(const StageTotal&, const StageTotal&) = default;
};

struct ReconciliationSummary {
    StageTotal seen;
    StageTotal finished;    // reported, cancelled, external
    StageTotal in_flight;   // pending, approving, approved, paying, paid, disbursed
    StageTotal exceptions;  // held, blocked, returned: what needs a person
    std::vector<StageTotal> stages;
    std::vector<std::string> unknown_stages;  // in none of the three sums, so nothing adds up
    // Counts and cents agree, and no stage is unknown.
    [[nodiscard]] bool adds_up() const;
};

// `seen` is counted apart from the stages, so that a draw which is in no stage, or in two, shows; absent: the stages'
// sum.
[[nodiscard]] ReconciliationSummary summarize(std::vector<StageTotal> stages,
                                              const std::optional<StageTotal>& seen = std::nullopt);

// "seen 312 ($1,204.50) = finished 280 ($1,000.00) + in flight 20 ($104.50) + exceptions 12 ($100.00)"; when it does
// not add up: "... : DOES NOT ADD UP: 1 draw and $2.00 are in no stage".
[[nodiscard]] std::string to_line(const ReconciliationSummary& summary);

}  // namespace drawbridge::reconciliation
