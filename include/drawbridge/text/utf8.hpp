// UTF-8 by RFC 3629: no overlong forms, no surrogates, nothing past U+10FFFF.
#pragma once

#include <cstddef>
#include <string_view>

namespace drawbridge::text {

// The length of the sequence at the front of `bytes` (not empty); 0 when there is none.
[[nodiscard]] std::size_t utf8_length(std::string_view bytes);

// The character at the front of `bytes`, which begin with a sequence.
[[nodiscard]] char32_t utf8_character(std::string_view bytes);

// The longest front of `text` that has at most `max_bytes` and does not end in the middle of a sequence.
[[nodiscard]] std::string_view utf8_front(std::string_view text, std::size_t max_bytes);

}  // namespace drawbridge::text
