// The states of the draws and their totals, kept current with the facts: triggers note which draws a transaction
// changes, and before the commit they are counted in their new states. Private to this module.
//
// They decide nothing: only the view draw_state says in which state a draw is.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "drawbridge/domain/draw.hpp"
#include "drawbridge/ledger/reports/verify.hpp"

namespace drawbridge::ledger {

class Ledger;

struct StateCount {
    std::int64_t draws = 0, cents = 0, without_amount = 0;

    void add(std::int64_t how_many, std::int64_t amount_cents, std::int64_t no_amount) {
        draws += how_many;
        cents += amount_cents;
        without_amount += no_amount;
    }
};
// By state and the moment of the newest reading, in milliseconds.
using StateCounts = std::map<std::pair<std::string, std::int64_t>, StateCount>;

// Counts a draw that was just recorded for the first time, by that reading of that moment.
void count_new_draw(Ledger& ledger, const Draw& draw, std::int64_t reading_id, Instant at);
// Call it with a fact that moves the draw and that no trigger covers (a payment).
void draw_moves(Ledger& ledger, DrawId id);
// In a transaction: adds its changes so far to the totals.
void apply_state_counts(Ledger& ledger);
// Recounts all draws and compares.
void compare_counts(Ledger& ledger, InvariantResult& result);

}  // namespace drawbridge::ledger
