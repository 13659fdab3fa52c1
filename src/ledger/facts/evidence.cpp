#include "drawbridge/ledger/facts/evidence.hpp"

#include "drawbridge/ledger/facts/makers.hpp"
#include "facts/payment_row.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {

using disbursement::EvidenceKind;

void record_evidence(Ledger& ledger, FileId file_id, EvidenceKind kind, std::string_view detail, const Stamp& stamp) {
    assert_in_transaction(ledger);
    const int added = Query(ledger,
                            R"sql(
        INSERT INTO delivery_evidence (file_id, kind, at, by, uid, detail, after_run_id)
        VALUES (?, ?, ?, ?, ?, ?, (SELECT run_id FROM newest_run))
        ON CONFLICT DO NOTHING)sql",
                            file_id, disbursement::to_string(kind), stamp.at, stamp.actor, stamp.uid, detail)
                          .run_counted();
    DRAWBRIDGE_ASSERT(added == 1, "a file has one piece of evidence of each kind");
    if (kind != EvidenceKind::sftp) {
        for (const DrawId draw : draws_of_check_orders(ledger, file_id))
            record_maker_act(ledger, MakerAct::said_at_bank, {.draw = draw}, stamp);
    }
    audit(ledger, stamp, "delivery.evidence", "file " + file_name(ledger, file_id),
          std::string(disbursement::to_string(kind)) + ": " + std::string(detail));
}

std::vector<Evidence> evidence_of(Ledger& ledger, FileId file_id) {
    Query query(ledger, "SELECT kind, at, by, detail FROM delivery_evidence WHERE file_id = ? ORDER BY evidence_id",
                file_id);
    std::vector<Evidence> all;
    while (query.next()) {
        const auto [kind, at, by, detail] = query.row<std::string, Instant, std::string, std::string>();
        all.push_back({*disbursement::parse_evidence_kind(kind), at, by, detail});
    }
    return all;
}

std::optional<std::int64_t> acknowledged_unsent(Ledger& ledger, FileId file_id) {
    return Query(ledger, "SELECT exception_id FROM acknowledged_unsent WHERE file_id = ?", file_id)
        .first<std::int64_t>();
}

bool is_acknowledged(Ledger& ledger, FileId file_id) {
    Query query(ledger, "SELECT 1 FROM delivery_evidence WHERE file_id = ? AND kind = ?", file_id,
                disbursement::to_string(EvidenceKind::acknowledged));
    return query.next();
}

std::vector<UnacknowledgedFile> unacknowledged_files(Ledger& ledger, Instant released_since) {
    Query query(ledger,
                R"sql(
        SELECT f.name, coalesce(d.delivered_at, f.released_at)
        FROM payment_file f
        LEFT JOIN file_delivery d ON d.file_id = f.file_id AND d.by_sftp = 1
        WHERE f.file_id IN (SELECT r.file_id FROM payment_file r INDEXED BY payment_file_ordered
            WHERE r.release_ordered_at >= ? UNION SELECT p.file_id FROM payment p INDEXED BY payment_unfinished
            WHERE p.finished_at IS NULL) AND f.released_at IS NOT NULL AND f.voided_at IS NULL
            AND (d.file_id IS NULL OR d.delivered_at IS NOT NULL)
            AND NOT EXISTS (SELECT 1 FROM delivery_evidence v WHERE v.file_id = f.file_id
            AND v.kind = 'acknowledged') AND NOT EXISTS (SELECT 1 FROM exception e WHERE e.subject = f.name
            AND e.subject <> '' AND (e.reason_code = 'acknowledgment_missing'
            OR (e.reason_code = 'acknowledgment_differs' AND e.closed_at IS NULL)))
        ORDER BY f.file_id)sql",
                released_since);
    return query.records<UnacknowledgedFile>();
}

}  // namespace drawbridge::ledger
