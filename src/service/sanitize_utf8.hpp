// What some services send inside otherwise good JSON: bytes that are no UTF-8, and half a surrogate pair as an escape.
// One draw with such a text must not keep all others from being read. Private to this module.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace drawbridge::service {

// The text with U+FFFD in place of each such byte or escape, which no bank file can hold: whoever would pay with it
// gets an exception that says so. nullopt: there is nothing to mend.
[[nodiscard]] std::optional<std::string> sanitize_utf8(std::string_view json);

}  // namespace drawbridge::service
