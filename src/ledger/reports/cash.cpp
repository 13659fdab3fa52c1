#include "drawbridge/ledger/reports/cash.hpp"

#include "store/connection.hpp"

namespace drawbridge::ledger {

std::vector<SettlingFile> settling_between(Ledger& ledger, BusinessDate from, BusinessDate to) {
    // A file's entries take effect at most a few weeks after it was made: older files are not looked at.
    const BusinessDate oldest = std::chrono::sys_days(from) - std::chrono::days(31);
    Query query(ledger,
                R"sql(
        SELECT p.effective_entry_date, f.name, f.release_ordered_at IS NOT NULL, count(*), sum(p.amount_cents)
        FROM payment_file f
        JOIN payment p ON p.file_id = f.file_id
        WHERE f.creation_date >= ? AND f.creation_date <= ? AND f.rail = 'ach' AND f.voided_at IS NULL
            AND p.effective_entry_date >= ? AND p.effective_entry_date <= ?
        GROUP BY p.effective_entry_date, f.file_id
        ORDER BY 1, f.file_id)sql",
                oldest, to, from, to);
    return query.records<SettlingFile>();
}

}  // namespace drawbridge::ledger
