// Authenticator data: for which site the authenticator signed, and who was there. Private to this module.
#pragma once

#include <string_view>

#include "drawbridge/passkeys/passkey.hpp"

namespace drawbridge::passkeys {

// Bytes 0-31: SHA-256 of the site's id; byte 32: the flags; bytes 33-36: the counter.
inline constexpr std::size_t min_authenticator_data = 37;
inline constexpr std::size_t max_authenticator_data = 4096;

// Whether they are for this site, the user was present and verified, and a reader of CBOR may read the rest.
[[nodiscard]] Result<void> check_authenticator_data(std::string_view data, const RelyingParty& site);

}  // namespace drawbridge::passkeys
