// What an error of the service says, in words for a person. The specification shows no shape for errors, so every usual
// one is understood; nothing is decided by the words.
#pragma once

#include <string>
#include <string_view>

#include "json.hpp"

namespace drawbridge::service {

// "the message (the code)", or the JSON itself. One line, at most 300 bytes.
[[nodiscard]] std::string error_message(const JsonValue& error);

// Null, false, 0, blank, empty, or made of nothing else.
[[nodiscard]] bool says_nothing(const JsonValue& value);

// Control characters and runs of space become one space; cut at 300 bytes, between characters.
[[nodiscard]] std::string one_line(std::string_view text);

}  // namespace drawbridge::service
