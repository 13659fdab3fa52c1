#include "drawbridge/ledger/facts/outbox.hpp"

#include "drawbridge/disbursement/plan.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {

std::vector<ReportDue> reports_due(Ledger& ledger, DrawId after, DrawId up_to) {
    Query query(ledger,
                R"sql(
        SELECT p.draw_id, p.payment_id, (SELECT s.confirmed_on FROM payment_settlement s
            WHERE s.payment_id = p.payment_id AND s.kind = 'paid')
        FROM payment p
        WHERE p.finished_at IS NULL AND p.draw_id > ? AND p.draw_id <= ? AND p.ended_at IS NULL
            AND (SELECT d.status FROM draw d WHERE d.draw_id = p.draw_id) = 5
            AND EXISTS (SELECT 1 FROM payment_settlement s WHERE s.payment_id = p.payment_id AND s.kind = 'paid')
            AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.draw_id = p.draw_id AND o.withdrawn_at IS NULL)
        ORDER BY p.draw_id)sql",
                after, up_to);
    std::vector<ReportDue> due;
    while (query.next())
        due.push_back({query.integer(0), query.integer(1), query.date(2)});
    return due;
}

std::int64_t open_patch(Ledger& ledger, const ReportDue& due, Instant disbursed_date, const Stamp& stamp) {
    assert_in_transaction(ledger);
    const auto patch_id = new_row(ledger, "SELECT max(patch_id) FROM outbox");
    Query(ledger,
          "INSERT INTO outbox (patch_id, draw_id, payment_id, disbursed_date, created_at) VALUES (?, ?, ?, ?, ?)",
          patch_id, due.draw_id, due.payment_id, disbursed_date, stamp.at)
        .run_in_bulk();
    audit_row(ledger, {stamp, "report.opened", "draw " + std::to_string(due.draw_id),
                       "disbursedDate " + format_service_instant(disbursed_date) + " for payment " +
                           disbursement::format_payment_id(due.payment_id),
                       "patches", patch_id});
    return patch_id;
}

std::vector<OpenPatch> open_patches(Ledger& ledger, std::int64_t after, int limit) {
    // In the order of the patches, so that a page ends at its limit. With joins, the planners may begin with another
    // table, and sort all of it for each page.
    Query query(ledger,
                R"sql(
        SELECT o.patch_id, o.draw_id, o.payment_id, o.disbursed_date, (SELECT count(*) FROM outbox_attempt a
            WHERE a.patch_id = o.patch_id), (SELECT max(a.at) FROM outbox_attempt a WHERE a.patch_id = o.patch_id),
            (SELECT r.disbursed_date FROM reading r WHERE r.reading_id = (SELECT d.reading_id FROM draw d
                WHERE d.draw_id = o.draw_id)),
            (SELECT r.amount_disbursed_cents FROM reading r WHERE r.reading_id = (SELECT d.reading_id FROM draw d
                WHERE d.draw_id = o.draw_id)),
            (SELECT p.amount_cents FROM payment p WHERE p.payment_id = o.payment_id),
            (SELECT min(f.released_at) FROM payment p JOIN payment_file f ON f.file_id = p.file_id
                WHERE p.draw_id = o.draw_id)
        FROM outbox o
        WHERE o.patch_id > ? AND o.outcome IS NULL AND o.withdrawn_at IS NULL AND CASE
            WHEN (SELECT d.status FROM draw d WHERE d.draw_id = o.draw_id) = 5
            AND (SELECT p.ended_at FROM payment p WHERE p.payment_id = o.payment_id) IS NULL
            AND NOT EXISTS (SELECT 1 FROM exception e WHERE e.draw_id = o.draw_id AND e.step = 'report'
            AND e.closed_at IS NULL AND e.reason_code IN ('disbursed_date_forbidden', 'disbursed_otherwise', 'draw_gone'))
            -- Two questions, so that an index of open exceptions answers each: it would not answer one with OR.
            AND NOT EXISTS (SELECT 1 FROM exception c WHERE c.draw_id = o.draw_id AND c.step = 'poll'
            AND c.closed_at IS NULL AND c.reason_code = 'draw_changed_after_payment')
            THEN 1 ELSE 0 END <> 0
        ORDER BY o.patch_id
        LIMIT ?)sql",
                after, limit);
    std::vector<OpenPatch> patches;
    while (query.next()) {
        patches.push_back({query.integer(0),
                           query.integer(1),
                           query.integer(2),
                           query.instant(3),
                           static_cast<int>(query.integer(4)),
                           query.optional_instant(5),
                           {query.optional_instant(6), query.optional_money(7)},
                           query.money(8),
                           query.optional_instant(9)});
    }
    return patches;
}

std::int64_t newest_open_patch(Ledger& ledger) {
    Query query(ledger, "SELECT coalesce(max(patch_id), 0) FROM outbox WHERE outcome IS NULL AND withdrawn_at IS NULL");
    query.next();
    return query.integer(0);
}

void record_attempt(Ledger& ledger, const OpenPatch& patch, std::string_view outcome, std::string_view detail,
                    Instant at) {
    assert_in_transaction(ledger);
    Query(ledger, "INSERT INTO outbox_attempt (patch_id, at, outcome, detail) VALUES (?, ?, ?, ?)", patch.patch_id, at,
          outcome, detail)
        .run_in_bulk();
}

std::string_view to_string(PatchOutcome outcome) {
    switch (outcome) {
        case PatchOutcome::accepted: return "accepted";
        case PatchOutcome::already_there: return "already_there";
    }
    return "accepted";
}

void close_patch(Ledger& ledger, const OpenPatch& patch, PatchOutcome outcome, const Stamp& stamp) {
    assert_in_transaction(ledger);
    // By the key: || '' and + 0, because PostgreSQL's planner takes an index of what is open for cheaper while a ledger
    // is new, and reads all of it for each row.
    Query(ledger, "UPDATE outbox SET outcome = ?, outcome_at = ? WHERE patch_id = ? AND outcome || '' IS NULL",
          to_string(outcome), stamp.at, patch.patch_id)
        .run_in_bulk_for_one_row();
    Query(ledger, "UPDATE payment SET finished_at = ? WHERE payment_id = ? AND finished_at + 0 IS NULL", stamp.at,
          patch.payment_id)
        .run_in_bulk();
    audit_row(ledger, {stamp, "report." + std::string(to_string(outcome)), "draw " + std::to_string(patch.draw_id),
                       "disbursedDate " + format_service_instant(patch.disbursed_date), "patches", patch.patch_id});
}

std::vector<OpenPatch> overtaken_patches(Ledger& ledger) {
    Query query(ledger,
                R"sql(
        SELECT o.patch_id, o.draw_id, coalesce((SELECT p.payment_id FROM payment p
            JOIN payment_settlement s ON s.payment_id = p.payment_id AND s.kind = 'paid'
            WHERE p.draw_id = o.draw_id AND p.ended_at IS NULL AND p.finished_at IS NULL), o.payment_id),
            o.disbursed_date
        FROM outbox o INDEXED BY outbox_open
        CROSS JOIN payment e ON e.payment_id = o.payment_id
        WHERE o.outcome IS NULL AND o.withdrawn_at IS NULL AND e.ended_at IS NOT NULL
        ORDER BY o.patch_id)sql");
    std::vector<OpenPatch> patches;
    while (query.next())
        patches.push_back({query.integer(0), query.integer(1), query.integer(2), query.instant(3), 0, std::nullopt});
    return patches;
}

void withdraw_patch(Ledger& ledger, const OpenPatch& patch, const Stamp& stamp) {
    assert_in_transaction(ledger);
    const int changed = Query(ledger,
                              R"sql(
        UPDATE outbox
        SET withdrawn_at = ?
        WHERE patch_id = ? AND outcome IS NULL AND withdrawn_at IS NULL)sql",
                              stamp.at, patch.patch_id)
                            .run_counted();
    DRAWBRIDGE_ASSERT(changed == 1, "a patch is withdrawn once");
    audit(ledger, stamp, "report.withdrawn", "draw " + std::to_string(patch.draw_id),
          "disbursedDate " + format_service_instant(patch.disbursed_date) +
              " never reached the service, and its payment came back");
}

WaitingForPortal waiting_for_portal(Ledger& ledger) {
    if (ledger.connection().in_transaction) apply_state_counts(ledger);
    Query query(ledger,
                R"sql(
        SELECT draws, cents, (SELECT min(since) FROM state_age a WHERE a.state = t.state)
        FROM state_total t
        WHERE state = 'paid')sql");
    if (!query.next()) return {};
    return {query.integer(0), query.money(1), query.optional_instant(2)};
}

}  // namespace drawbridge::ledger
