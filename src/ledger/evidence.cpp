#include "drawbridge/ledger/evidence.hpp"

#include "connection.hpp"
#include "drawbridge/ledger/makers.hpp"
#include "payment_row.hpp"

namespace drawbridge::ledger {

using disbursement::EvidenceKind;

void record_evidence(Ledger& ledger, FileId file_id, EvidenceKind kind, std::string_view detail, const Stamp& stamp) {
    assert_in_transaction(ledger);
    const int added = Query(ledger,
                            "INSERT INTO delivery_evidence (file_id, kind, at, by, uid, detail) "
                            "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                            file_id, disbursement::to_string(kind), stamp.at, stamp.actor, stamp.uid, detail)
                          .run();
    DRAWBRIDGE_ASSERT(added == 1, "there is one piece of evidence of a kind");
    if (kind == EvidenceKind::by_hand) {
        for (const DrawId draw : draws_of_check_orders(ledger, file_id))
            record_hand(ledger, Act::said_at_bank, {.draw = draw}, stamp);
    }
    audit(ledger, stamp, "delivery.evidence", "file " + file_name(ledger, file_id),
          std::string(disbursement::to_string(kind)) + ": " + std::string(detail));
}

std::vector<Evidence> evidence_of(Ledger& ledger, FileId file_id) {
    Query query(ledger, "SELECT kind, at, by, detail FROM delivery_evidence WHERE file_id = ? ORDER BY evidence_id",
                file_id);
    std::vector<Evidence> all;
    while (query.next()) {
        all.push_back(
            {*disbursement::parse_evidence_kind(query.text(0)), query.instant(1), query.text(2), query.text(3)});
    }
    return all;
}

}  // namespace drawbridge::ledger
