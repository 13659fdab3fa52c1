// The balance over all draws: seen = finished + in flight + exceptions, in draws and to the cent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "drawbridge/domain/money.hpp"

namespace drawbridge::reconciliation {

struct StateTotal {
    std::string state;  // as in the ledger's state view
    std::int64_t count = 0;
    Money amount;
    friend bool operator==(const StateTotal&, const StateTotal&) = default;
};

struct ReconciliationSummary {
    StateTotal seen;
    StateTotal finished;    // reported, cancelled, external
    StateTotal in_flight;   // pending, approving, approved, paying, paid, disbursed
    StateTotal exceptions;  // held, blocked, returned: need a person
    std::vector<StateTotal> states;
    std::vector<std::string> unknown_states;  // in none of the three sums, so the balance fails
    // Counts and cents agree, and every state is known.
    [[nodiscard]] bool adds_up() const;
};

// `seen` is counted independently of the states, so that a draw in no state or in two becomes visible. Absent: the sum
// of the states.
[[nodiscard]] ReconciliationSummary summarize(std::vector<StateTotal> states,
                                              const std::optional<StateTotal>& seen = std::nullopt);

// "seen 312 ($1,204.50) = finished 280 ($1,000.00) + in flight 20 ($104.50) + exceptions 12 ($100.00)". If it does not
// add up: "... : DOES NOT ADD UP: 1 draw and $2.00 are in no state".
[[nodiscard]] std::string to_line(const ReconciliationSummary& summary);

}  // namespace drawbridge::reconciliation
