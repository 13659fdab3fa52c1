// Change control: proposed bytes of rules and payees, who accepted them, and which are in force; and the settings of
// drawbridge.yaml as the last start found them.
//
// The bytes of every file are sealed. This module only records: the configuration says which files are under control,
// and `admin` decides who may accept. Except for the baseline, nothing is in force until two people accepted it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/ledger/facts/people.hpp"
#include "drawbridge/ledger/reports/verify.hpp"
#include "drawbridge/ledger/store/ledger.hpp"

namespace drawbridge::ledger {

enum class ControlledFile : std::uint8_t { rules, payees };
[[nodiscard]] std::string_view to_string(ControlledFile kind);  // "rules", "payees"

// The content of a file when it was read.
struct FileContent {
    std::string_view bytes;
    std::string_view sha256;
    std::optional<std::int64_t> owner_uid = {};  // the file's owner, a hint of who wrote it
};

// SHA-256 of the bytes in force; nullopt: no baseline was recorded.
[[nodiscard]] std::optional<std::string> hash_in_force(Ledger& ledger, ControlledFile kind);
// There must be a baseline. Throws if the bytes do not open: somebody changed the ledger.
[[nodiscard]] std::string bytes_in_force(Ledger& ledger, ControlledFile kind);

// In a transaction. Compares the file with the bytes in force. Records the first content as the baseline. Proposes
// content that is neither in force, nor proposed, nor rejected while the file has kept it. Withdraws an open proposal
// of other content. Raises exceptions to match. True: something was recorded.
bool compare_with_file(Ledger& ledger, ControlledFile kind, const FileContent& file, const Stamp& stamp);
// In a transaction: the file is no longer under change control, so its open proposal is withdrawn.
void withdraw_open_proposal(Ledger& ledger, ControlledFile kind, std::string_view why, const Stamp& stamp);

struct Acceptance {
    Instant at;
    std::int64_t uid = 0;  // 0 for root and the daemon's own user
    std::string by;
    std::string reason;
};
enum class ProposalOutcome : std::uint8_t { baseline, accepted, rejected, withdrawn };
[[nodiscard]] std::string_view to_string(ProposalOutcome outcome);

struct Proposal {
    std::int64_t proposal_id = 0;
    ControlledFile kind = ControlledFile::rules;
    std::string sha256;
    Instant proposed_at;
    std::optional<std::int64_t> file_uid = {};
    std::optional<Instant> closed_at = {};
    std::string closed_by = {}, closed_reason = {};
    std::optional<ProposalOutcome> outcome = {};  // nullopt: open
    std::vector<Acceptance> acceptances = {};
};
// Newest first, including the baselines.
[[nodiscard]] std::vector<Proposal> proposals(Ledger& ledger, int limit);
// Those whose hash begins with these hexadecimal digits, newest first: waiting, withdrawn and all others.
[[nodiscard]] std::vector<Proposal> proposals_that_begin(Ledger& ledger, std::string_view digits);
[[nodiscard]] std::vector<Proposal> open_proposals(Ledger& ledger);
[[nodiscard]] std::string bytes_of(Ledger& ledger, const Proposal& proposal);
// Whether these bytes are in force because of this proposal: the same bytes may have been proposed several times.
[[nodiscard]] bool is_in_force(Ledger& ledger, const Proposal& proposal);

// Of the person of `stamp`, which must have a uid. Error (conflict): this person accepted it, under this uid or
// another, or somebody with this login name did.
[[nodiscard]] Result<void> check_not_accepted(Ledger& ledger, const Proposal& proposal, const Stamp& stamp);
// In a transaction. Errors: as check_not_accepted().
[[nodiscard]] Result<void> record_acceptance(Ledger& ledger, const Proposal& proposal, std::string_view reason,
                                             const Stamp& stamp);
// In a transaction, after two people accepted: the proposed bytes are in force from now on.
void put_in_force(Ledger& ledger, const Proposal& proposal, std::string_view reason, const Stamp& stamp);
void reject_proposal(Ledger& ledger, const Proposal& proposal, std::string_view reason, const Stamp& stamp);

// Adds violations: bytes that do not open, and changes in force that two people did not accept.
void check_changes(Ledger& ledger, InvariantResult& result);

// The settings of drawbridge.yaml that the last start found; nullopt: none recorded.
[[nodiscard]] std::optional<std::string> last_settings(Ledger& ledger);
// In a transaction. `difference` goes into the audit trail and holds no secret; empty: these are the first settings.
void record_settings(Ledger& ledger, std::string_view settings, std::string_view difference, const Stamp& stamp);

}  // namespace drawbridge::ledger
