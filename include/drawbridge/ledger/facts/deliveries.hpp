// How released files reach the bank: the method of each, its encrypted form, and every step of its upload. The bank's
// side collects a file without a row here from outgoing/.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "drawbridge/disbursement/delivery.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/ledger/reports/verify.hpp"

namespace drawbridge::ledger {

struct Encryption {
    std::string name;  // the encrypted file's
    std::string fingerprint;
    std::string sha256;
    std::int64_t size_bytes = 0;
    Instant made_at;
};

struct DeliveryRow {
    FileId file_id = 0;
    std::string file_name;  // of the payment file
    disbursement::Rail rail = disbursement::Rail::ach;
    DeliveryMethod method;
    std::optional<Encryption> encryption;
    // The file that leaves, under its own name; the hash is empty until it is encrypted.
    std::string name, sha256;
    std::optional<Instant> released_at, delivered_at, archived_at;
    std::string archived_as;
};

// Call it when the release is ordered. Records nothing for a file that is neither uploaded nor encrypted, or already
// has a row.
void order_delivery(Ledger& ledger, FileId file_id, DeliveryMethod way, const Stamp& stamp);
[[nodiscard]] std::optional<DeliveryRow> find_delivery(Ledger& ledger, FileId file_id);
// Released files for SFTP that are not delivered or not archived yet, in the order they were made.
[[nodiscard]] std::vector<DeliveryRow> open_deliveries(Ledger& ledger);
// Files whose release is ordered and that are not encrypted yet.
[[nodiscard]] std::vector<FileRow> files_to_encrypt(Ledger& ledger);

// True for our files, plain or encrypted, and for files that the comparison after a restore found.
[[nodiscard]] bool knows_file_name(Ledger& ledger, std::string_view name);
// The payment file inside the encrypted file of that name; nullopt: there is none.
[[nodiscard]] std::optional<std::string> encrypted_from(Ledger& ledger, std::string_view name);
// SHA-256 of the encrypted file of that name; nullopt: there is none.
[[nodiscard]] std::optional<std::string> encrypted_sha256(Ledger& ledger, std::string_view name);
void record_encryption(Ledger& ledger, FileId file_id, const Encryption& encryption, const Stamp& stamp);

// A payment file that the archive has: what was delivered, and the plain form of what was encrypted.
struct ArchivedCopy {
    std::string path;  // below spool/archive: 2026/11/22/NAME
    std::string file_name;
    std::string sha256;
    bool is_encrypted = false;
};
// Without those that were deleted by policy.
[[nodiscard]] std::vector<ArchivedCopy> archived_copies(Ledger& ledger, const TimeZone& zone);

// Released files in outgoing/, where the bank's side collects them, of which nothing proves that the bank has them and
// about which no exception with this reason code is open or was closed by a person.
[[nodiscard]] std::vector<FileRow> possibly_uncollected(Ledger& ledger, std::string_view reason_code, Instant since);
// Files with an open exception of this reason code, of which the bank has shown since that it has them.
[[nodiscard]] std::vector<std::string> proven_since(Ledger& ledger, std::string_view reason_code);
// Whether the bank has confirmed or returned a payment of the file.
[[nodiscard]] bool is_any_settled(Ledger& ledger, FileId file_id);
// `delivered` is the last step: it is evidence that the bank has the file, and transmits the void and stop orders in
// it.
void record_delivery_step(Ledger& ledger, FileId file_id, const disbursement::DeliveryFact& fact);
[[nodiscard]] std::vector<disbursement::DeliveryFact> delivery_steps(Ledger& ledger, FileId file_id);
// `path` is relative to the state folder; empty: somebody had removed the copy.
void record_archived(Ledger& ledger, FileId file_id, std::string_view path, const Stamp& stamp);

struct Undelivered {
    std::int64_t count = 0;
    std::optional<Instant> oldest;  // when it was released
};
[[nodiscard]] Undelivered undelivered(Ledger& ledger);
// Why that server did not list its folder before the newest upload to it; empty: it did, or nothing was uploaded.
[[nodiscard]] std::string listing_denied(Ledger& ledger, std::string_view server);
// How often each step was recorded.
[[nodiscard]] std::vector<std::pair<std::string, std::int64_t>> delivery_step_counts(Ledger& ledger);

// Invariant 10.
[[nodiscard]] InvariantResult check_deliveries(Ledger& ledger);

}  // namespace drawbridge::ledger
