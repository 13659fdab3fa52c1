// How many there are of what needs people: open exceptions by reason, payment files by state.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "drawbridge/ledger/payments.hpp"

namespace drawbridge::ledger {

struct ExceptionTotal {
    std::string step;
    std::string reason_code;
    std::int64_t count = 0;
};
// Of the open ones, by step and reason.
[[nodiscard]] std::vector<ExceptionTotal> exception_totals(Ledger& ledger);

struct FileTotals {
    std::array<std::pair<FileState, std::int64_t>, 5> by_state{};  // every state, in the order in which a file has them
    std::optional<Instant> oldest_staged;                          // of those that wait for their release
};
[[nodiscard]] FileTotals file_totals(Ledger& ledger);

}  // namespace drawbridge::ledger
