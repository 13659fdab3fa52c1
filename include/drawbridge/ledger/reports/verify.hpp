// Checks the money-safety invariants and the audit chain of the ledger.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "drawbridge/ledger/store/ledger.hpp"

namespace drawbridge::ledger {

struct InvariantResult {
    int number = 0;  // 1 to 12 as in docs/auditors.md; 0: the file itself
    std::string title;
    std::int64_t checked = 0;             // facts checked
    std::vector<std::string> violations;  // empty: it holds
};

[[nodiscard]] std::vector<InvariantResult> verify(Ledger& ledger);

}  // namespace drawbridge::ledger
