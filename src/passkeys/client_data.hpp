// clientDataJSON: what the browser says that it asked the authenticator for. Private to this module.
#pragma once

#include <string_view>

#include "drawbridge/passkeys/passkey.hpp"

namespace drawbridge::passkeys {

// `type`: "webauthn.get" or "webauthn.create".
[[nodiscard]] Result<void> check_client_data(std::string_view client_data, std::string_view type,
                                             const RelyingParty& site, std::string_view challenge);

}  // namespace drawbridge::passkeys
