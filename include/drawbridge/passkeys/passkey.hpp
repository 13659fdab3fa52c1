// WebAuthn verdicts: is this new passkey genuine, and did this passkey sign that challenge here and now?
//
// A pure function of its arguments: it knows no clock, no session and no list of keys. The caller makes each challenge,
// uses it once, and looks the public key up by the credential's id. Signatures and attestations are verified by
// libfido2; user presence and user verification are always required. All values are raw bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "drawbridge/domain/error.hpp"

namespace drawbridge::passkeys {

// Signature algorithms, by their COSE numbers.
enum class Algorithm : std::int16_t { es256 = -7, eddsa = -8, rs256 = -257 };
[[nodiscard]] std::string_view to_string(Algorithm algorithm);  // "ES256"
[[nodiscard]] std::optional<Algorithm> parse_algorithm(std::int64_t cose_number);

struct PublicKey {
    Algorithm algorithm = Algorithm::es256;
    // ES256: x and y, 32 bytes each; EdDSA: the Ed25519 key, 32 bytes; RS256: the modulus, 256 bytes, and the exponent,
    // 3 bytes.
    std::string bytes;
    friend bool operator==(const PublicKey&, const PublicKey&) = default;
};

// The key in the form that other programs read (PEM, SubjectPublicKeyInfo); empty: the bytes are not a key.
[[nodiscard]] std::string to_pem(const PublicKey& key);

// The site that passkeys are for. A browser signs for `id` only on a page whose origin is under it.
struct RelyingParty {
    std::string id;      // "console.example.gov"
    std::string origin;  // "https://console.example.gov"
};

// What navigator.credentials.get() gives.
struct Assertion {
    std::string client_data;         // clientDataJSON
    std::string authenticator_data;  // with the hash of the site's id, and the flags
    std::string signature;
};

// Errors (unauthorized), the message says which: client data of another type, challenge or origin, or from a frame of
// another site; authenticator data for another site; the user was not present or not verified; the signature is not
// this key's.
[[nodiscard]] Result<void> verify_assertion(const Assertion& assertion, const PublicKey& key, const RelyingParty& site,
                                            std::string_view challenge);

// How often the authenticator says it has signed; 0: it keeps no count, like most synced passkeys. The data come from a
// verified assertion.
[[nodiscard]] std::uint32_t signature_counter(std::string_view authenticator_data);
// Whether it may be copied to other devices of its owner. A key always says the same.
[[nodiscard]] bool is_backup_eligible(std::string_view authenticator_data);

struct NewPasskey {
    std::string credential_id;
    PublicKey key;
    std::string aaguid;                   // the authenticator's model, 16 bytes; zeros: it does not say
    bool backup_eligible = false;         // it may be copied to other devices of its owner
    std::uint32_t signature_counter = 0;  // how often it had signed; 0: it may keep no count
};
// What navigator.credentials.create() gives. Without an attestation ("none") the key is taken as it is; one that is
// there must verify. Errors (unauthorized): as verify_assertion; a key of another algorithm or a damaged one.
[[nodiscard]] Result<NewPasskey> verify_attestation(std::string_view client_data, std::string_view attestation_object,
                                                    const RelyingParty& site, std::string_view challenge);

}  // namespace drawbridge::passkeys
