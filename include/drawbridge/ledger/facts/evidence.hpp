// Evidence that the bank has a released file: recorded facts, each of a kind. Silence from the bank means something
// only from then on. A file missing from outgoing/ is not evidence.
#pragma once

#include <boost/describe/class.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/disbursement/delivery.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/ledger/store/ledger.hpp"

namespace drawbridge::ledger {

struct Evidence {
    disbursement::EvidenceKind kind = disbursement::EvidenceKind::sftp;
    Instant at;
    std::string by;
    std::string detail;
};
BOOST_DESCRIBE_STRUCT(Evidence, (), (kind, at, by, detail))

// In a transaction. A file has at most one piece of evidence of each kind; asserts that this one is new.
void record_evidence(Ledger& ledger, FileId file_id, disbursement::EvidenceKind kind, std::string_view detail,
                     const Stamp& stamp);
// In the order in which it was recorded.
[[nodiscard]] std::vector<Evidence> evidence_of(Ledger& ledger, FileId file_id);

// The open exception of a bank that has this file and should not; nullopt: none.
[[nodiscard]] std::optional<std::int64_t> acknowledged_unsent(Ledger& ledger, FileId file_id);
[[nodiscard]] bool is_acknowledged(Ledger& ledger, FileId file_id);

struct UnacknowledgedFile {
    std::string name;
    Instant left_at;  // when it was released; for SFTP, when it was delivered
};
// Files that left, that the bank has not acknowledged, and that have no exception about it yet: those released since
// `released_since`, and older ones with unfinished payments.
[[nodiscard]] std::vector<UnacknowledgedFile> unacknowledged_files(Ledger& ledger, Instant released_since);

}  // namespace drawbridge::ledger
