#include "drawbridge/ledger/reports/totals.hpp"

#include "store/connection.hpp"

namespace drawbridge::ledger {

std::vector<ExceptionTotal> exception_totals(Ledger& ledger) {
    Query query(ledger,
                R"sql(
        SELECT step, reason_code, count(*)
        FROM exception INDEXED BY exception_open_by_age
        WHERE closed_at IS NULL
        GROUP BY step, reason_code
        ORDER BY step, reason_code)sql");
    return query.records<ExceptionTotal>();
}

FileTotals file_totals(Ledger& ledger) {
    Query query(ledger,
                R"sql(
        SELECT count(*) FILTER (WHERE voided_at IS NULL AND staged_at IS NULL),
            count(*) FILTER (WHERE voided_at IS NULL AND staged_at IS NOT NULL
            AND release_ordered_at IS NULL), count(*) FILTER (WHERE voided_at IS NULL
            AND release_ordered_at IS NOT NULL AND released_at IS NULL), count(*) FILTER (WHERE voided_at IS NULL
            AND released_at IS NOT NULL), count(*) FILTER (WHERE voided_at IS NOT NULL), min(CASE
            WHEN voided_at IS NULL AND release_ordered_at IS NULL THEN staged_at END)
        FROM payment_file)sql");
    query.next();
    FileTotals totals;
    constexpr FileState states[] = {FileState::planned, FileState::staged, FileState::releasing, FileState::released,
                                    FileState::voided};
    for (int i = 0; i < 5; ++i)
        totals.by_state[static_cast<std::size_t>(i)] = {states[i], query.integer(i)};
    totals.oldest_staged = query.optional_instant(5);
    return totals;
}

}  // namespace drawbridge::ledger
