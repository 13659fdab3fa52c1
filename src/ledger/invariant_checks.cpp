#include "drawbridge/ledger/invariant_checks.hpp"

#include "connection.hpp"

namespace drawbridge::ledger {

std::vector<InvariantResult> verify_and_record(Ledger& ledger, const Stamp& stamp) {
    auto results = verify(ledger);
    ledger.transaction([&] {
        for (const auto& result : results) {
            Query(ledger,
                  "INSERT INTO invariant_check (checked_at, by, number, facts, violations) VALUES (?, ?, ?, ?, ?)",
                  stamp.at, stamp.actor, result.number, result.checked, result.violations.size())
                .run();
        }
    });
    return results;
}

std::vector<InvariantCheck> last_invariant_checks(Ledger& ledger) {
    constexpr int last_number = 9;
    std::vector<InvariantCheck> checks;
    for (int number = 0; number <= last_number; ++number) {
        Query query(
            ledger,
            "SELECT checked_at, violations FROM invariant_check WHERE number = ? ORDER BY check_id DESC LIMIT 1",
            number);
        if (query.next()) checks.push_back({number, query.instant(0), query.integer(1)});
    }
    return checks;
}

}  // namespace drawbridge::ledger
