// Invariant 12, checked on the makers that were fixed when each release was ordered.
#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/ledger/facts/passkeys.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {

InvariantResult check_releasers(Ledger& ledger) {
    InvariantResult result{12, "no file was released by one of its makers", 0, {}};
    {
        Query query(ledger, "SELECT count(*) FROM payment_file WHERE makers_until IS NOT NULL");
        result.checked = query.only<std::int64_t>();
    }
    const auto list = [&](std::string_view sql) {
        Query query(ledger, sql);
        while (query.next())
            result.violations.push_back(query.record<std::string>());
    };
    list(
        R"sql(
        SELECT DISTINCT 'file ' || f.name || ' was released by ' || f.release_ordered_by || ', and ' || m.by ||
            ' had a hand in it'
        FROM payment_file f
        JOIN release_maker m ON m.file_id = f.file_id
        WHERE coalesce(f.release_uid, 0) = 0 OR m.uid = f.release_uid
            OR m.person_id IN (SELECT p.person_id FROM releaser_person p WHERE p.file_id = f.file_id))sql");
    list(
        R"sql(
        SELECT 'file ' || f.name || ' was released, and act ' || h.maker_act_id || ' of ' || h.by ||
            ' is not among its makers'
        FROM (SELECT maker_act_id, file_id FROM maker_act WHERE file_id IS NOT NULL
            UNION ALL SELECT h.maker_act_id, p.file_id FROM maker_act h JOIN payment p ON p.draw_id = h.draw_id
            UNION ALL SELECT h.maker_act_id, l.file_id FROM maker_act h JOIN payment p ON p.draw_id = h.draw_id
            JOIN check_order o ON o.payment_id = p.payment_id JOIN check_order_line l ON l.order_id = o.order_id) t
        JOIN payment_file f ON f.file_id = t.file_id
        JOIN maker_act h ON h.maker_act_id = t.maker_act_id
        WHERE h.maker_act_id <= f.makers_until AND NOT EXISTS (SELECT 1 FROM release_maker m
            WHERE m.file_id = f.file_id AND m.uid = h.uid AND m.act = h.act))sql");
    list(
        R"sql(
        SELECT 'file ' || f.name || ' was released, and nobody recorded its makers'
        FROM payment_file f
        WHERE f.release_ordered_at IS NOT NULL AND f.makers_until IS NULL
        -- Another copy of this ledger released what went out before a restore.
        AND NOT EXISTS (SELECT 1 FROM sent_file s WHERE s.name = f.name))sql");
    check_signed_acts(ledger, result);
    return result;
}

}  // namespace drawbridge::ledger
