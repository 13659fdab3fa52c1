// How it is known that the bank has a released file: recorded facts, each with its kind. Only from then on does it mean
// anything that the bank says nothing. That a file is gone from outgoing/ is no evidence.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/disbursement/delivery.hpp"
#include "drawbridge/ledger/ledger.hpp"
#include "drawbridge/ledger/payments.hpp"

namespace drawbridge::ledger {

struct Evidence {
    disbursement::EvidenceKind kind = disbursement::EvidenceKind::sftp;
    Instant at;
    std::string by;
    std::string detail;
};

// In a transaction. Of each kind a file has one piece of evidence; asserts that it has none of this kind yet.
void record_evidence(Ledger& ledger, FileId file_id, disbursement::EvidenceKind kind, std::string_view detail,
                     const Stamp& stamp);
// In the order in which it was recorded.
[[nodiscard]] std::vector<Evidence> evidence_of(Ledger& ledger, FileId file_id);

[[nodiscard]] bool is_acknowledged(Ledger& ledger, FileId file_id);

struct UnacknowledgedFile {
    std::string name;
    Instant left_at;  // released; delivered, where it goes by SFTP
};
// Files that left and that the bank has not acknowledged, of which no exception has said so yet: those that were
// released since then, and older ones with payments that are on their way.
[[nodiscard]] std::vector<UnacknowledgedFile> unacknowledged_files(Ledger& ledger, Instant released_since);

}  // namespace drawbridge::ledger
