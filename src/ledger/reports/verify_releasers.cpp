// Invariant 12, checked on the makers that were fixed when each release was ordered.
#include <string_view>

#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/ledger/facts/passkeys.hpp"
#include "reports/violations.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

// Links made after the confirmation prove nothing about it.
void check_passkey_confirmations(Ledger& ledger, InvariantResult& result) {
    list_violations(ledger, R"sql(
        SELECT 'passkey ' || k.fingerprint || ' was confirmed by ' || c.by || ', its owner or its inviter'
        FROM passkey_confirmation c
        JOIN passkey k ON k.passkey_id = c.passkey_id
        WHERE k.invited_uid = c.uid
            OR EXISTS (SELECT 1 FROM person_uid y WHERE y.uid = c.uid AND y.link_id <= c.links_until
            AND (y.person_id = k.person_id OR y.person_id IN (SELECT x.person_id FROM person_uid x
            WHERE x.uid = k.invited_uid AND x.link_id <= c.links_until)))
        ORDER BY k.passkey_id)sql",
                    result);
}

void check_changes_of_people(Ledger& ledger, InvariantResult& result) {
    list_violations(ledger, R"sql(
        SELECT 'change ' || c.change_id || ' of person ' || c.person_id || ' was confirmed by ' || c.closed_by ||
            ', who proposed it or is that person'
        FROM person_change c
        WHERE c.outcome = 'confirmed' AND (c.proposed_uid = c.closed_uid
            OR EXISTS (SELECT 1 FROM person_uid y WHERE y.uid = c.closed_uid AND y.link_id <= c.links_until
            AND (y.person_id = c.person_id OR y.person_id IN (SELECT x.person_id FROM person_uid x
            WHERE x.uid = c.proposed_uid AND x.link_id <= c.links_until))))
        ORDER BY c.change_id)sql",
                    result);
}

// Each finds one kind of violation, a row each.
constexpr std::string_view wrong_releases[] = {
    R"sql(
        SELECT DISTINCT 'file ' || f.name || ' was released by ' || f.release_ordered_by || ', and ' || m.by ||
            ' had a hand in it'
        FROM payment_file f
        JOIN release_maker m ON m.file_id = f.file_id
        WHERE coalesce(f.release_uid, 0) = 0 OR m.uid = f.release_uid
            OR m.person_id IN (SELECT p.person_id FROM releaser_person p WHERE p.file_id = f.file_id))sql",
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
            WHERE m.file_id = f.file_id AND m.uid = h.uid AND m.act = h.act))sql",
    R"sql(
        SELECT 'file ' || f.name || ' was released, and nobody recorded its makers'
        FROM payment_file f
        WHERE f.release_ordered_at IS NOT NULL AND f.makers_until IS NULL
        -- Another copy of this ledger released what went out before a restore.
        AND NOT EXISTS (SELECT 1 FROM sent_file s WHERE s.name = f.name))sql",
    // One that waits: what it would be checked against.
    R"sql(
        SELECT 'file ' || f.name || ' waits for its release, and act ' || h.maker_act_id || ' of ' || h.by ||
            ' on draw ' || h.draw_id || ' is not recorded for it'
        FROM file_draw t
        CROSS JOIN maker_act h ON h.draw_id = t.draw_id
        JOIN payment_file f ON f.file_id = t.file_id
        WHERE t.file_id IN (SELECT w.file_id FROM file_to_leave w)
            AND NOT EXISTS (SELECT 1 FROM file_draw_act r
            WHERE r.file_id = t.file_id AND r.maker_act_id = h.maker_act_id))sql",
    R"sql(
        SELECT DISTINCT 'file ' || f.name || ' waits for its release, and what ' || n.name ||
            ' did in the portal with draw ' || a.draw_id || ' is not recorded for it'
        FROM payment p
        CROSS JOIN draw_portal_act a ON a.draw_id = p.draw_id
        JOIN payment_file f ON f.file_id = p.file_id
        JOIN person n ON n.person_id = a.person_id
        WHERE p.file_id IN (SELECT w.file_id FROM file_to_leave w) AND p.ended_at IS NULL
            AND NOT EXISTS (SELECT 1 FROM file_portal_act r WHERE r.file_id = p.file_id
            AND r.person_id = a.person_id AND r.act = a.act AND r.draw_id = a.draw_id))sql",
    R"sql(
        SELECT DISTINCT 'file ' || f.name || ' waits for its release, and that draw ' || a.draw_id ||
            ' was approved in the name of ' || n.name || ' is not recorded for it'
        FROM payment p
        CROSS JOIN draw_approver a ON a.draw_id = p.draw_id
        JOIN payment_file f ON f.file_id = p.file_id
        JOIN person n ON n.person_id = a.person_id
        WHERE p.file_id IN (SELECT w.file_id FROM file_to_leave w) AND p.ended_at IS NULL
            AND NOT EXISTS (SELECT 1 FROM file_portal_act r WHERE r.file_id = p.file_id
            AND r.person_id = a.person_id AND r.act = a.act AND r.draw_id = a.draw_id))sql",
};

}  // namespace

InvariantResult check_releasers(Ledger& ledger) {
    InvariantResult result{12, "no file was released by one of its makers", 0, {}};
    {
        Query query(ledger, "SELECT count(*) FROM payment_file WHERE makers_until IS NOT NULL");
        result.checked = query.only<std::int64_t>();
    }
    for (const auto sql : wrong_releases)
        list_violations(ledger, sql, result);
    check_changes_of_people(ledger, result);
    check_passkey_confirmations(ledger, result);
    check_signed_acts(ledger, result);
    return result;
}

}  // namespace drawbridge::ledger
