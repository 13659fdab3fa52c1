#include "drawbridge/ledger/facts/passkeys.hpp"

#include <array>

#include "drawbridge/domain/digest.hpp"
#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/passkeys/encoding.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

constexpr std::size_t fingerprint_digits = 20;
constexpr std::array<std::string_view, 3> passkey_state_names{"unconfirmed", "confirmed", "locked"};

#define PASSKEY_COLUMNS                                                                                           \
    "SELECT k.passkey_id, k.person_id, k.invited_uid, k.invited_by, k.credential_id, k.algorithm, k.public_key, " \
    "k.aaguid, k.backup_eligible, "                                                                               \
    "k.fingerprint, k.label, k.site, k.enrolled_at, c.at, c.by, l.at, "                                           \
    "(SELECT max(s.at) FROM signed_act s WHERE s.passkey_id = k.passkey_id) FROM passkey k "                      \
    "LEFT JOIN passkey_confirmation c ON c.passkey_id = k.passkey_id "                                            \
    "LEFT JOIN passkey_lock l ON l.passkey_id = k.passkey_id "

std::string bytes_of(const std::string& text) {
    return passkeys::from_base64url(text).value_or("");
}

Passkey read_passkey(const Query& query) {
    Passkey passkey;
    std::string credential_id, public_key, aaguid;
    std::int64_t cose_number = 0;
    query.read(passkey.passkey_id, passkey.person_id, passkey.invited.uid, passkey.invited.by, credential_id,
               cose_number, public_key, aaguid, passkey.what.backup_eligible, passkey.fingerprint, passkey.label,
               passkey.site, passkey.enrolled_at, passkey.confirmed_at, passkey.confirmed_by, passkey.locked_at,
               passkey.last_signed_at);
    const auto algorithm = passkeys::parse_algorithm(cose_number);
    DRAWBRIDGE_ASSERT(algorithm.has_value(), "the schema knows the algorithms");
    passkey.what.credential_id = bytes_of(credential_id);
    passkey.what.key = {*algorithm, bytes_of(public_key)};
    passkey.what.aaguid = bytes_of(aaguid);
    if (passkey.confirmed_at) passkey.state = PasskeyState::confirmed;
    if (passkey.locked_at) passkey.state = PasskeyState::locked;
    return passkey;
}

std::vector<Passkey> read_passkeys(Query& query) {
    std::vector<Passkey> found;
    while (query.next())
        found.push_back(read_passkey(query));
    return found;
}

std::string owner_of(const Passkey& passkey) {
    return "person " + std::to_string(passkey.person_id);
}

// Of any passkey, also a locked one: under a new credential id, the key of one person would act for another, and a
// locked key would come back.
bool has_public_key(Ledger& ledger, const passkeys::PublicKey& key) {
    Query query(ledger, "SELECT 1 FROM passkey WHERE public_key = ?", passkeys::to_base64url(key.bytes));
    return query.next();
}

// Makes the uid of the console the person's own.
void link_console_uid(Ledger& ledger, PersonId person_id, const Stamp& stamp) {
    if (person_of(ledger, console_uid(person_id))) return;
    Query(ledger, "INSERT INTO person_uid (person_id, uid, linked_at) VALUES (?, ?, ?)", person_id,
          console_uid(person_id), stamp.at)
        .run();
}

}  // namespace

std::string_view to_string(PasskeyState state) {
    return passkey_state_names[static_cast<std::size_t>(state)];
}

std::string words_of_counter(std::string_view fingerprint, std::uint32_t counter) {
    return std::string(fingerprint) + ", signature counter " + std::to_string(counter);
}

std::string fingerprint_of(const passkeys::NewPasskey& passkey) {
    return sha256_hex(std::to_string(passkey.credential_id.size()) + ":" + passkey.credential_id + passkey.key.bytes)
        .substr(0, fingerprint_digits);
}

std::vector<Passkey> all_passkeys(Ledger& ledger) {
    Query query(ledger, PASSKEY_COLUMNS "ORDER BY k.passkey_id");
    return read_passkeys(query);
}

std::vector<Passkey> passkeys_of(Ledger& ledger, PersonId person_id) {
    Query query(ledger, PASSKEY_COLUMNS "WHERE k.person_id = ? ORDER BY k.passkey_id", person_id);
    return read_passkeys(query);
}

std::optional<Passkey> find_passkey(Ledger& ledger, std::string_view fingerprint) {
    Query query(ledger, PASSKEY_COLUMNS "WHERE k.fingerprint = ?", fingerprint);
    if (!query.next()) return std::nullopt;
    return read_passkey(query);
}

std::optional<Passkey> find_credential(Ledger& ledger, std::string_view credential_id) {
    Query query(ledger, PASSKEY_COLUMNS "WHERE k.credential_id = ?", passkeys::to_base64url(credential_id));
    if (!query.next()) return std::nullopt;
    return read_passkey(query);
}

Result<Passkey> add_passkey(Ledger& ledger, const EnrolledPasskey& enrolled, const Stamp& stamp) {
    assert_in_transaction(ledger);
    const auto& [person_id, invited, what, site, label] = enrolled;
    const std::string fingerprint = fingerprint_of(what);
    if (find_credential(ledger, what.credential_id) || find_passkey(ledger, fingerprint))
        return fail(ErrorCode::conflict, "this passkey is enrolled already");
    if (has_public_key(ledger, what.key))
        return fail(ErrorCode::conflict,
                    "the key of this passkey is enrolled already, under another id: create a new one");
    Query(ledger,
          R"sql(
        INSERT INTO passkey (person_id, invited_uid, invited_by, credential_id, fingerprint, algorithm, public_key,
            aaguid, backup_eligible, label, site, enrolled_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?))sql",
          person_id, recorded_uid(invited.uid), invited.by, passkeys::to_base64url(what.credential_id), fingerprint,
          static_cast<std::int64_t>(what.key.algorithm), passkeys::to_base64url(what.key.bytes),
          passkeys::to_base64url(what.aaguid), what.backup_eligible ? 1 : 0, label, site, stamp.at)
        .run();
    auto added = find_passkey(ledger, fingerprint);
    audit(ledger, stamp, "passkey.enrolled", owner_of(*added),
          "fingerprint " + words_of_counter(fingerprint, what.signature_counter) + ", " +
              std::string(to_string(what.key.algorithm)) +
              (what.backup_eligible ? ", may be copied to other devices" : ", bound to one device") + ", invited by " +
              invited.by + ": it signs nothing until somebody other than these two confirms it");
    return *std::move(added);
}

Result<void> confirm_passkey(Ledger& ledger, const Passkey& passkey, std::string_view reason, const Stamp& stamp) {
    assert_in_transaction(ledger);
    DRAWBRIDGE_ASSERT(stamp.uid.has_value(), "a passkey is confirmed by a principal");
    if (passkey.state == PasskeyState::locked)
        return fail(ErrorCode::conflict, "passkey " + passkey.fingerprint + " is locked: enroll another one");
    if (passkey.state == PasskeyState::confirmed) {
        return fail(ErrorCode::conflict,
                    "passkey " + passkey.fingerprint + " was confirmed by " + passkey.confirmed_by + " already");
    }
    Query(ledger,
          R"sql(
        INSERT INTO passkey_confirmation (passkey_id, at, uid, by, reason, links_until)
        SELECT ?, ?, ?, ?, ?, coalesce(max(link_id), 0)
        FROM person_uid)sql",
          passkey.passkey_id, stamp.at, recorded_uid(*stamp.uid), stamp.actor, reason)
        .run();
    link_console_uid(ledger, passkey.person_id, stamp);
    audit(ledger, stamp, "passkey.confirmed", owner_of(passkey),
          "fingerprint " + passkey.fingerprint + ", invited by " + passkey.invited.by + ": " + std::string(reason));
    return {};
}

Result<void> lock_passkey(Ledger& ledger, const Passkey& passkey, std::string_view reason, const Stamp& stamp) {
    assert_in_transaction(ledger);
    DRAWBRIDGE_ASSERT(stamp.uid.has_value(), "a passkey is locked by a principal");
    if (passkey.state == PasskeyState::locked)
        return fail(ErrorCode::conflict, "passkey " + passkey.fingerprint + " is locked already");
    Query(ledger, "INSERT INTO passkey_lock (passkey_id, at, uid, by, reason) VALUES (?, ?, ?, ?, ?)",
          passkey.passkey_id, stamp.at, *stamp.uid, stamp.actor, reason)
        .run();
    audit(ledger, stamp, "passkey.locked", owner_of(passkey),
          "fingerprint " + passkey.fingerprint + ": " + std::string(reason));
    return {};
}

}  // namespace drawbridge::ledger
