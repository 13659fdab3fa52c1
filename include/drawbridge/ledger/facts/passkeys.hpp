// Passkeys of people, and the acts that they signed. Records facts and answers questions; who may invite, confirm and
// lock is decided in `admin`, what a signature is worth in `passkeys`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/ledger/facts/people.hpp"
#include "drawbridge/ledger/reports/verify.hpp"
#include "drawbridge/passkeys/passkey.hpp"

namespace drawbridge::ledger {

// A person acts in the console with a uid that no account of a machine has. It belongs to the person from the first
// confirmed passkey on, for good.
inline constexpr std::int64_t first_console_uid = 4'294'967'296;
[[nodiscard]] constexpr std::int64_t console_uid(PersonId person_id) {
    return first_console_uid + person_id;
}
[[nodiscard]] constexpr bool is_console_uid(std::int64_t uid) {
    return uid >= first_console_uid;
}

enum class PasskeyState { unconfirmed, confirmed, locked };
[[nodiscard]] std::string_view to_string(PasskeyState state);

// Who made the invitation with which a passkey was enrolled.
struct Inviter {
    std::int64_t uid = 0;  // 0 for root and the daemon's own user
    std::string by;
};

struct Passkey {
    std::int64_t passkey_id = 0;
    PersonId person_id = 0;
    Inviter invited;
    passkeys::NewPasskey what;
    std::string fingerprint;
    std::string label;
    std::string site;  // the host that it was made for
    PasskeyState state = PasskeyState::unconfirmed;
    Instant enrolled_at;
    std::optional<Instant> confirmed_at, locked_at;
    std::string confirmed_by;
    std::optional<Instant> last_signed_at;
};

// 20 hexadecimal digits over the credential's id and its key.
[[nodiscard]] std::string fingerprint_of(const passkeys::NewPasskey& passkey);

// Oldest first.
[[nodiscard]] std::vector<Passkey> all_passkeys(Ledger& ledger);
[[nodiscard]] std::vector<Passkey> passkeys_of(Ledger& ledger, PersonId person_id);
[[nodiscard]] std::optional<Passkey> find_passkey(Ledger& ledger, std::string_view fingerprint);
[[nodiscard]] std::optional<Passkey> find_credential(Ledger& ledger, std::string_view credential_id);

struct EnrolledPasskey {
    PersonId person_id = 0;
    Inviter invited;
    passkeys::NewPasskey what;
    std::string site, label;  // as in Passkey
};
// Unconfirmed: it signs nothing. Error (conflict): the credential or its public key is known already, perhaps locked.
[[nodiscard]] Result<Passkey> add_passkey(Ledger& ledger, const EnrolledPasskey& enrolled, const Stamp& stamp);
// `stamp` must have a uid, neither its owner's nor its inviter's. Error (conflict): confirmed or locked already.
[[nodiscard]] Result<void> confirm_passkey(Ledger& ledger, const Passkey& passkey, std::string_view reason,
                                           const Stamp& stamp);
// `stamp` must have a uid. Error (conflict): locked already.
[[nodiscard]] Result<void> lock_passkey(Ledger& ledger, const Passkey& passkey, std::string_view reason,
                                        const Stamp& stamp);

struct SignedAct {
    std::int64_t act_id = 0;
    Instant at;
    PersonId person_id = 0;
    std::int64_t passkey_id = 0;
    std::string request;  // "POST /files/ACH-20260304-A.ach/release"
    std::string text;
    passkeys::Assertion assertion;
};
// Recorded before the act is done. The passkey must be confirmed and its person's.
std::int64_t record_signed_act(Ledger& ledger, const SignedAct& act, const Passkey& passkey, const Stamp& stamp);
// "0123456789abcdef0123, signature counter 17": so the audit entries of an enrollment (passkey.enrolled) and of a
// sign-in (session.opened) name the passkey, and last_signature_counter() reads them back.
[[nodiscard]] std::string words_of_counter(std::string_view fingerprint, std::uint32_t counter);
// The greatest counter of the passkey's enrollment, newest sign-in and newest act; 0: it keeps no count.
[[nodiscard]] std::uint32_t last_signature_counter(Ledger& ledger, const Passkey& passkey);
[[nodiscard]] std::optional<SignedAct> find_signed_act(Ledger& ledger, std::int64_t act_id);
// Oldest first, newer than `after` (0: from the first).
[[nodiscard]] std::vector<SignedAct> signed_acts(Ledger& ledger, std::int64_t after, int limit);
[[nodiscard]] std::int64_t count_signed_acts(Ledger& ledger);
// Why the signature does not verify over the text; nullopt: it does. The text names the site that it was signed for.
[[nodiscard]] std::optional<std::string> fault_in(Ledger& ledger, const SignedAct& act);

// A part of invariant 12: each signed act verifies, and each release in the console has one over that file.
void check_signed_acts(Ledger& ledger, InvariantResult& result);

// The value of the line "KEY: VALUE" of an act's text; empty: the text has no such line.
[[nodiscard]] std::string line_of_act(std::string_view text, std::string_view key);

}  // namespace drawbridge::ledger
