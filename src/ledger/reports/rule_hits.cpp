#include "drawbridge/ledger/reports/rule_hits.hpp"

#include "store/connection.hpp"

namespace drawbridge::ledger {

std::vector<RuleHits> rule_hits(Ledger& ledger, std::string_view rule_set_sha256) {
    Query query(ledger,
                R"sql(
        SELECT coalesce(c.rule, ''), count(*), coalesce(sum(coalesce(r.amount_approved_cents,
            r.amount_requested_cents)), 0), max(c.decided_at)
        FROM decision c
        JOIN draw_reading r ON r.reading_id = c.reading_id
        WHERE c.decision_id > (SELECT coalesce(max(decision_id), 0) - 50000 FROM draw_decision) AND c.rule_set_sha256 = ?
            AND c.decided_by IS NULL
        GROUP BY 1
        ORDER BY 2 DESC, 1)sql",
                rule_set_sha256);
    return query.records<RuleHits>();
}

}  // namespace drawbridge::ledger
