// Names as people write them → the characters that banks read: upper-case ASCII 0x20-0x7E.
#pragma once

#include <string>
#include <string_view>

#include "drawbridge/domain/error.hpp"

namespace drawbridge::nacha {

// UTF-8 in. Every Latin letter with marks has an ASCII form, composed or with combining marks (É → E, ễ → E, Ơ → O,
// ß → SS, Œ → OE), and so has typographic punctuation (“ → "). A control character, a letter of another script or bytes
// that are not UTF-8: an error that names the character and its place; never a '?'.
[[nodiscard]] Result<std::string> transliterate(std::string_view utf8);

}  // namespace drawbridge::nacha
