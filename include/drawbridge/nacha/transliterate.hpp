// Converts names to the characters that banks accept: uppercase ASCII 0x20-0x7E.
#pragma once

#include <string>
#include <string_view>

#include "drawbridge/domain/error.hpp"

namespace drawbridge::nacha {

// UTF-8 in. Every accented Latin letter has an ASCII form, precomposed or with combining marks (É → E, ễ → E, Ơ → O, ß
// → SS, Œ → OE), and so does typographic punctuation (“ → "). Control characters, letters of other scripts and invalid
// UTF-8 are errors that name the character and its position; nothing becomes '?'.
[[nodiscard]] Result<std::string> transliterate(std::string_view utf8);

}  // namespace drawbridge::nacha
