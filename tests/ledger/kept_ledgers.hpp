// The list that a kept ledger is compared with: one line for each draw.
#pragma once

#include <string>

#include "drawbridge/ledger/reports/draw_states.hpp"

namespace drawbridge::test {

// "11 paying 110.11 2026-03-04T15:56:00.000Z", by id.
inline std::string list_of_draws(ledger::Ledger& ledger) {
    std::string list;
    for (const auto& row : ledger::list_draws(ledger, {}).draws) {
        list += std::to_string(row.draw_id) + " " + row.state + " " + (row.amount ? row.amount->to_string() : "-") +
                " " + format_instant(row.since) + "\n";
    }
    return list;
}

}  // namespace drawbridge::test
