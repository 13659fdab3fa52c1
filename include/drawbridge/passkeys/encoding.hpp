// Bytes as WebAuthn carries them: base64url without padding.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace drawbridge::passkeys {

[[nodiscard]] std::string to_base64url(std::string_view bytes);
// nullopt: it holds another character, padding, or bits that belong to no byte.
[[nodiscard]] std::optional<std::string> from_base64url(std::string_view text);

// Takes the same time wherever they differ.
[[nodiscard]] bool equal_in_constant_time(std::string_view one, std::string_view other);

}  // namespace drawbridge::passkeys
