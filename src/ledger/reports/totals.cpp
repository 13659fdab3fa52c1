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
    struct Counts {
        std::int64_t planned = 0, staged = 0, releasing = 0, released = 0, voided = 0;
        std::optional<Instant> oldest_staged;
    };
    const auto counts = query.only<Counts>();
    return {.by_state = {{{FileState::planned, counts.planned},
                          {FileState::staged, counts.staged},
                          {FileState::releasing, counts.releasing},
                          {FileState::released, counts.released},
                          {FileState::voided, counts.voided}}},
            .oldest_staged = counts.oldest_staged};
}

}  // namespace drawbridge::ledger
