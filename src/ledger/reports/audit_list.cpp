#include "drawbridge/ledger/reports/audit_list.hpp"

#include <algorithm>

#include "store/connection.hpp"
#include "store/like.hpp"

namespace drawbridge::ledger {

AuditPage list_audit(Ledger& ledger, const AuditFilter& filter) {
    constexpr std::int64_t max_scanned = 50'000;
    const std::int64_t before = filter.before == 0 ? journal_end(ledger) + 1 : filter.before;
    const std::int64_t from = std::max<std::int64_t>(before - max_scanned, 1);
    Query query(ledger,
                R"sql(
        WITH named AS MATERIALIZED (SELECT DISTINCT 'uid ' || u.uid AS actor FROM person p
            JOIN person_uid u ON u.person_id = p.person_id WHERE p.name LIKE ?4 ESCAPE '\')
        SELECT seq, at, actor, action, subject, detail
        FROM audit a
        WHERE seq < ?1 AND seq >= ?2 AND action <> ?3 AND action LIKE ?5 ESCAPE '\' AND subject LIKE ?6 ESCAPE '\'
            AND (actor LIKE ?4 ESCAPE '\'
                OR EXISTS (SELECT 1 FROM named n WHERE a.actor = n.actor OR a.actor LIKE n.actor || ' (%'))
        ORDER BY seq DESC
        LIMIT ?7)sql",
                before, from, facts_sealed, like_pattern(filter.actor), like_pattern(filter.action),
                like_pattern(filter.subject), filter.limit);
    AuditPage page{.entries = query.records<JournalEntry>(), .next_before = std::nullopt};
    if (page.entries.size() == static_cast<std::size_t>(filter.limit)) {
        if (page.entries.back().seq > 1) page.next_before = page.entries.back().seq;
    } else if (from > 1) {
        page.next_before = from;
    }
    return page;
}

std::int64_t count_audit(Ledger& ledger) {
    Query query(ledger, "SELECT count(*) FROM audit WHERE action <> ?", facts_sealed);
    return query.only<std::int64_t>();
}

}  // namespace drawbridge::ledger
