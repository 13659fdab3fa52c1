// Counts of what needs people: open exceptions by reason, payment files by state.
#pragma once

#include <array>
#include <boost/describe/class.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "drawbridge/ledger/facts/payments.hpp"

namespace drawbridge::ledger {

struct ExceptionTotal {
    std::string step;
    std::string reason_code;
    std::int64_t count = 0;
};
BOOST_DESCRIBE_STRUCT(ExceptionTotal, (), (step, reason_code, count))
// Open exceptions by step and reason code.
[[nodiscard]] std::vector<ExceptionTotal> exception_totals(Ledger& ledger);

struct FileTotals {
    std::array<std::pair<FileState, std::int64_t>, 5> by_state{};  // every state, in order
    std::optional<Instant> oldest_staged;                          // staged files that are not released
};
[[nodiscard]] FileTotals file_totals(Ledger& ledger);

}  // namespace drawbridge::ledger
