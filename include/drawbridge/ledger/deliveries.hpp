// How released files get to the bank: by which way each goes, its encrypted form, every step of its upload. A file of
// which nothing stands here is taken from outgoing/ by the bank's side.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "drawbridge/disbursement/delivery.hpp"
#include "drawbridge/ledger/payments.hpp"
#include "drawbridge/ledger/verify.hpp"

namespace drawbridge::ledger {

struct Encryption {
    std::string name;  // of the encrypted file
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
    // What leaves the house, under its name there; the hash is empty while it is still to be encrypted.
    std::string name, sha256;
    std::optional<Instant> released_at, delivered_at, archived_at;
    std::string archived_as;
};

// When the file goes. Neither by SFTP nor encrypted: nothing is recorded; nor where it was ordered before.
void order_delivery(Ledger& ledger, FileId file_id, DeliveryMethod method, const Stamp& stamp);
[[nodiscard]] std::optional<DeliveryRow> find_delivery(Ledger& ledger, FileId file_id);
// Released, to go by SFTP, not delivered or not yet archived; in the order of their making.
[[nodiscard]] std::vector<DeliveryRow> open_deliveries(Ledger& ledger);
// Their release is ordered, and they are not encrypted yet.
[[nodiscard]] std::vector<FileRow> files_to_encrypt(Ledger& ledger);

// A file of ours, plain or encrypted, or one that a comparison after a restore found.
[[nodiscard]] bool knows_file_name(Ledger& ledger, std::string_view name);
// The payment file that is in the encrypted file of that name; nullopt: there is none.
[[nodiscard]] std::optional<std::string> encrypted_from(Ledger& ledger, std::string_view name);
// Of the encrypted file of that name; nullopt: there is none.
[[nodiscard]] std::optional<std::string> encrypted_sha256(Ledger& ledger, std::string_view name);
void record_encryption(Ledger& ledger, FileId file_id, const Encryption& encryption, const Stamp& stamp);
// `delivered` ends it: it is evidence that the bank has the file, and void and stop orders in it count as transmitted.
void record_delivery_step(Ledger& ledger, FileId file_id, const disbursement::DeliveryFact& fact);
[[nodiscard]] std::vector<disbursement::DeliveryFact> delivery_steps(Ledger& ledger, FileId file_id);
// `path` is relative to the state folder; empty: somebody had taken the copy.
void record_archived(Ledger& ledger, FileId file_id, std::string_view path, const Stamp& stamp);

struct Undelivered {
    std::int64_t count = 0;
    std::optional<Instant> oldest;  // released
};
[[nodiscard]] Undelivered undelivered(Ledger& ledger);
// How often each step was recorded.
[[nodiscard]] std::vector<std::pair<std::string, std::int64_t>> delivery_step_counts(Ledger& ledger);

// Invariant 10.
[[nodiscard]] InvariantResult check_deliveries(Ledger& ledger);

}  // namespace drawbridge::ledger
