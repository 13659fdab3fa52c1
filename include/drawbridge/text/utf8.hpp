// UTF-8 by RFC 3629: no overlong forms, no surrogates, nothing past U+10FFFF.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace drawbridge::text {

// Length in bytes of the sequence at the front of `bytes` (not empty); 0 when there is no valid one.
[[nodiscard]] std::size_t utf8_length(std::string_view bytes);

// The character at the front of `bytes`, which must begin with a valid sequence.
[[nodiscard]] char32_t utf8_character(std::string_view bytes);

// The longest prefix of `text` with at most `max_bytes` bytes that does not end inside a sequence.
[[nodiscard]] std::string_view utf8_prefix(std::string_view text, std::size_t max_bytes);

// Calls `use` with the bytes of each character and the character. A byte that is not UTF-8 comes alone, as nullopt.
template <class Use>
void for_each_character(std::string_view text, Use use) {
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        const auto bytes = text.substr(0, length == 0 ? 1 : length);
        use(bytes, length == 0 ? std::nullopt : std::optional(utf8_character(text)));
        text.remove_prefix(bytes.size());
    }
}

}  // namespace drawbridge::text
