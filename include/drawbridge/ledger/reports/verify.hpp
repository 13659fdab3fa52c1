// Checks the money-safety invariants and the audit chain of the ledger.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "drawbridge/ledger/store/ledger.hpp"

namespace drawbridge::ledger {

inline constexpr int last_invariant = 12;
// "The manifests agree with the ledger": verify() leaves it out; a caller that can read the manifests checks it.
inline constexpr int manifests_invariant = 11;

struct InvariantResult {
    int number = 0;  // 1 to last_invariant as in docs/auditors.md; 0: the file itself
    std::string title;
    std::int64_t checked = 0;             // facts checked
    std::vector<std::string> violations;  // empty: it holds
};

[[nodiscard]] std::vector<InvariantResult> verify(Ledger& ledger);

}  // namespace drawbridge::ledger
