// The text of a service error, for people. The interface specifies no format for errors, so all common ones are
// understood. No decision depends on the text.
#pragma once

#include <string>
#include <string_view>

#include "json.hpp"

namespace drawbridge::service {

// "the message (the code)", or the JSON itself. One line, at most 300 bytes.
[[nodiscard]] std::string error_message(const JsonValue& error);

// Null, false, 0, blank, empty, or a container of only such values.
[[nodiscard]] bool is_blank(const JsonValue& value);

// The end of a text that was cut.
inline constexpr std::string_view cut_mark = "...";

// Control characters and runs of spaces become one space; cut at 300 bytes, at a character boundary.
[[nodiscard]] std::string one_line(std::string_view text);

}  // namespace drawbridge::service
