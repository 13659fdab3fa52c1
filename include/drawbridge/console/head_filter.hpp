// Which requests the console refuses by the bytes of their head, before any parser has seen them. Stricter than HTTP
// asks: nothing that two programs could read differently gets through, and nothing that no browser sends.
//
// Pure, and fuzzed. The framing rules that the operators' socket has too are in api/request_head.hpp.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "drawbridge/api/request_head.hpp"

namespace drawbridge::console {

inline constexpr std::size_t max_fields = 100;
inline constexpr std::size_t max_browser_target_bytes = 2 * 1024;

// Where the head ends, one past its last byte: after an empty line, however that line ends. npos: not yet.
[[nodiscard]] std::size_t end_of_head(std::string_view bytes);

// `head` ends as end_of_head() says; `authority` is what Host must be. nullopt: a parser may read it.
[[nodiscard]] std::optional<api::HeadFault> fault_in_head(std::string_view head, std::string_view authority);

}  // namespace drawbridge::console
