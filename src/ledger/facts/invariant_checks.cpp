#include "drawbridge/ledger/facts/invariant_checks.hpp"

#include <algorithm>

#include "drawbridge/ledger/facts/exceptions.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

constexpr std::string_view verify_subject = "verify";

}  // namespace

void record_checks(Ledger& ledger, const std::vector<InvariantResult>& results, const Stamp& stamp) {
    assert_in_transaction(ledger);
    const InvariantResult* broken = nullptr;
    for (const auto& result : results) {
        Query(ledger, "INSERT INTO invariant_check (checked_at, by, number, facts, violations) VALUES (?, ?, ?, ?, ?)",
              stamp.at, stamp.actor, result.number, result.checked, result.violations.size())
            .run();
        if (broken == nullptr && !result.violations.empty()) broken = &result;
    }
    if (broken == nullptr) {
        // A check of a backup alone does not compare the manifests and the archive.
        const bool is_whole =
            std::ranges::find(results, manifests_invariant, &InvariantResult::number) != results.end();
        if (is_whole) close_exceptions_of_subject(ledger, verify_subject, "every invariant holds", stamp);
        return;
    }
    raise_exception(ledger,
                    {"pay", std::string(invariant_violated), std::nullopt, std::nullopt, std::string(verify_subject),
                     "invariant " + std::to_string(broken->number) + " (" + broken->title +
                         ") does not hold: " + broken->violations.front() +
                         ": pause all money movement, run `drawbridge verify`, contact the developers"},
                    stamp);
}

std::optional<Instant> last_checked(Ledger& ledger) {
    Query query(ledger, "SELECT checked_at FROM invariant_check WHERE number = ? ORDER BY check_id DESC LIMIT 1",
                manifests_invariant);
    return query.first<Instant>();
}

std::vector<InvariantCheck> last_invariant_checks(Ledger& ledger) {
    Query query(ledger, R"sql(
        WITH RECURSIVE invariant_number (number) AS (
            SELECT 0 UNION ALL SELECT number + 1 FROM invariant_number WHERE number < ?1)
        SELECT c.number, c.checked_at, c.violations
        FROM invariant_number
        JOIN invariant_check c
          ON c.check_id = (SELECT max(l.check_id) FROM invariant_check l WHERE l.number = invariant_number.number)
        ORDER BY c.number)sql",
                last_invariant);
    return query.records<InvariantCheck>();
}

}  // namespace drawbridge::ledger
