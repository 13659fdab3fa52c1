// Names as people write them → the characters that banks read: upper-case ASCII 0x20-0x7E.
#pragma once

#include <string>
#include <string_view>

#include "drawbridge/domain/error.hpp"

namespace drawbridge::nacha {

// UTF-8 in. Latin-1, Latin Extended-A, combining accents and typographic punctuation have an ASCII form (É → E, ß → SS,
// Œ → OE, “ → "). A control character, a script without such a form or bytes that are not UTF-8: an error that names
// the character and its place; never a '?'.
[[nodiscard]] Result<std::string> transliterate(std::string_view utf8);

}  // namespace drawbridge::nacha
