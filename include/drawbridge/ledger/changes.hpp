// Change control: the bytes of rules and payees that were proposed, who accepted them, and which are in force; and the
// settings of drawbridge.yaml as the last start found them.
//
// Every file's bytes are sealed. This module records; which files are under control is the configuration's affair, and
// who may accept is decided in `admin`. What no two persons accepted is never in force, except the baseline.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/ledger/ledger.hpp"
#include "drawbridge/ledger/people.hpp"
#include "drawbridge/ledger/verify.hpp"

namespace drawbridge::ledger {

enum class ControlledFile : std::uint8_t { rules, payees };
[[nodiscard]] std::string_view to_string(ControlledFile kind);  // "rules", "payees"

// What a file holds at a moment.
struct FileContent {
    std::string_view bytes;
    std::string_view sha256;
    std::optional<std::int64_t> owner_uid = {};  // of the file: a hint of who wrote it
};

// SHA-256 of the bytes in force; nullopt: no baseline was recorded.
[[nodiscard]] std::optional<std::string> hash_in_force(Ledger& ledger, ControlledFile kind);
// There must be a baseline. Throws where they do not open: the ledger was changed.
[[nodiscard]] std::string bytes_in_force(Ledger& ledger, ControlledFile kind);

// In a transaction. Compares the file with what is in force: records the first one as the baseline, proposes bytes that
// are neither in force nor proposed nor rejected while the file went on holding them, and withdraws the open proposal
// of other bytes. Exceptions say the same to people. True: something was recorded.
bool compare_with_file(Ledger& ledger, ControlledFile kind, const FileContent& file, const Stamp& stamp);
// In a transaction: this file is not under change control now, nothing of it waits.
void withdraw_open_proposal(Ledger& ledger, ControlledFile kind, std::string_view why, const Stamp& stamp);

struct Acceptance {
    Instant at;
    std::int64_t uid = 0;  // as recorded: 0 for root and the daemon's own user
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
    std::optional<ProposalOutcome> outcome = {};  // nullopt: it waits
    std::vector<Acceptance> acceptances = {};
};
// Newest first; the baselines are among them.
[[nodiscard]] std::vector<Proposal> proposals(Ledger& ledger, int limit);
[[nodiscard]] std::vector<Proposal> open_proposals(Ledger& ledger);
[[nodiscard]] std::string bytes_of(Ledger& ledger, const Proposal& proposal);

// In a transaction; `stamp` has a uid. Error (conflict): the person, by this uid or another, accepted it already.
[[nodiscard]] Result<void> record_acceptance(Ledger& ledger, const Proposal& proposal, std::string_view reason,
                                             const Stamp& stamp);
// In a transaction, after the acceptances of two persons: its bytes are in force from here on.
void put_in_force(Ledger& ledger, const Proposal& proposal, std::string_view reason, const Stamp& stamp);
void reject_proposal(Ledger& ledger, const Proposal& proposal, std::string_view reason, const Stamp& stamp);

// Adds what is wrong: bytes that do not open, changes in force that no two persons accepted.
void check_changes(Ledger& ledger, InvariantResult& result);

// The settings of drawbridge.yaml as the last start found them; nullopt: none was recorded.
[[nodiscard]] std::optional<std::string> last_settings(Ledger& ledger);
// In a transaction. `difference`, for the audit trail, holds no secret; empty: these are the first.
void record_settings(Ledger& ledger, std::string_view settings, std::string_view difference, const Stamp& stamp);

}  // namespace drawbridge::ledger
