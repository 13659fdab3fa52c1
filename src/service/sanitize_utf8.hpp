// Repairs what some services send inside otherwise valid JSON: bytes that are not UTF-8, and half a surrogate pair as
// an escape. One draw with such a text must not keep all others from being read. Private to this module.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace drawbridge::service {

// Replaces each such byte or escape by U+FFFD. No bank file can contain that character, so a payment that would use it
// becomes an exception. nullopt: the text is valid.
[[nodiscard]] std::optional<std::string> sanitize_utf8(std::string_view json);

}  // namespace drawbridge::service
