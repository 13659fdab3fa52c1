// Every sealed column, in one place. The database never sees a key or an opened value. Private to this module.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace drawbridge::ledger {

class Ledger;

struct SealedField {
    std::string_view name;    // to which a value is bound, besides its ledger and its row
    std::string_view select;  // rows after a key, by key: the key, what the value is bound to, the sealed value
    std::string_view update;  // sealed value, key
    std::string_view what;    // for people; "{}" stands for what the value is bound to
};

inline constexpr SealedField payment_account = {
    "payment.account_number",
    "SELECT payment_id, payment_id, account_number FROM payment WHERE account_number IS NOT NULL AND payment_id > "
    "CAST(? AS INTEGER) "
    "ORDER BY payment_id LIMIT 1000",
    "UPDATE payment SET account_number = ? WHERE payment_id = CAST(? AS INTEGER)", "the account number of payment {}"};
inline constexpr SealedField prenote_account = {
    "prenote.account_number",
    "SELECT prenote_id, trace_number, account_number FROM prenote WHERE prenote_id > CAST(? AS INTEGER) ORDER BY "
    "prenote_id LIMIT 1000",
    "UPDATE prenote SET account_number = ? WHERE prenote_id = CAST(? AS INTEGER)", "the account number of prenote {}"};
inline constexpr SealedField file_profile = {
    "payment_file.profile",
    "SELECT file_id, name, profile FROM payment_file WHERE file_id > CAST(? AS INTEGER) ORDER BY file_id LIMIT 1000",
    "UPDATE payment_file SET profile = ? WHERE file_id = CAST(? AS INTEGER)", "the bank profile of {}"};
inline constexpr SealedField payee_fingerprint_key = {
    "payee_fingerprint_key.key",
    "SELECT one_row, one_row, key FROM payee_fingerprint_key WHERE one_row > CAST(? AS INTEGER) ORDER BY one_row LIMIT "
    "1000",
    "UPDATE payee_fingerprint_key SET key = ? WHERE one_row = CAST(? AS INTEGER)",
    "the key of the payees' fingerprints"};
inline constexpr SealedField changed_bytes = {
    "change_proposal.content",
    "SELECT proposal_id, sha256, content FROM change_proposal WHERE proposal_id > CAST(? AS INTEGER) ORDER BY "
    "proposal_id LIMIT 1000",
    "UPDATE change_proposal SET content = ? WHERE proposal_id = CAST(? AS INTEGER)", "the bytes of the change {}"};
inline constexpr SealedField seen_settings = {
    "configuration_seen.settings",
    "SELECT seen_id, sha256, settings FROM configuration_seen WHERE seen_id > CAST(? AS INTEGER) ORDER BY seen_id "
    "LIMIT 1000",
    "UPDATE configuration_seen SET settings = ? WHERE seen_id = CAST(? AS INTEGER)",
    "the settings of drawbridge.yaml {}"};
inline constexpr SealedField retired_archive_key = {
    "archive_key.key", "SELECT key_id, key_id, key FROM archive_key WHERE key_id > ? ORDER BY key_id LIMIT 1000",
    "UPDATE archive_key SET key = ? WHERE key_id = ?", "the archive key of {}"};
// The bank's correction may be an account number, which the ledger keeps nowhere else.
inline constexpr SealedField staged_correction = {
    "staged_line.corrected_data",
    "SELECT staging_id * 1000000000 + ordinal, ordinal, corrected_data FROM staged_line WHERE corrected_data IS NOT "
    "NULL AND staging_id * 1000000000 + ordinal > CAST(? AS INTEGER) ORDER BY 1 LIMIT 1000",
    "UPDATE staged_line SET corrected_data = ? WHERE staging_id * 1000000000 + ordinal = CAST(? AS INTEGER)",
    "the bank's correction in line {} of a file"};
// A page of these is some megabytes.
inline constexpr SealedField stored_piece_bytes = {
    "stored_piece.bytes",
    "SELECT piece_id, sha256 || ':' || position, bytes FROM stored_piece WHERE piece_id > CAST(? AS INTEGER) ORDER BY "
    "piece_id LIMIT 4",
    "UPDATE stored_piece SET bytes = ? WHERE piece_id = CAST(? AS INTEGER)", "the piece {} of a file"};
inline constexpr const SealedField* all_sealed_fields[] = {
    &payment_account, &prenote_account,     &file_profile,      &payee_fingerprint_key, &changed_bytes,
    &seen_settings,   &retired_archive_key, &staged_correction, &stored_piece_bytes};

struct SealedValue {
    std::string key, row, sealed;
};
// Every value of the field, a page at a time; `act` may write its row.
void for_each_sealed(Ledger& ledger, const SealedField& field, const std::function<void(const SealedValue&)>& act);

// Throws: that value does not open with the ledger's key.
[[noreturn]] void refuse_sealed(const SealedField& field, std::string_view row);

// In a row that is read: two columns, what the value is bound to and the sealed value, which becomes the opened text.
// nullopt: NULL.
template <const SealedField& field>
struct Opened {
    std::optional<std::string> text;
};

}  // namespace drawbridge::ledger
