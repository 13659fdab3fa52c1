// A check of the ledger as the daemon makes it, with manifests that agree.
#pragma once

#include <vector>

#include "drawbridge/ledger/facts/invariant_checks.hpp"

namespace drawbridge::test {

inline std::vector<ledger::InvariantResult> verify_and_record(ledger::Ledger& ledger, const ledger::Stamp& stamp) {
    auto results = ledger::verify(ledger);
    results.insert(
        results.end() - 1,
        {.number = ledger::manifests_invariant, .title = "the manifests agree with the ledger", .violations = {}});
    ledger.transaction([&] { ledger::record_checks(ledger, results, stamp); });
    return results;
}

}  // namespace drawbridge::test
