// Refuses requests by the bytes of their head, before any parser reads them. It is stricter than HTTP: nothing gets
// through that two programs could read differently, or that no browser sends.
//
// Pure, and fuzzed. The framing rules that also apply to the operators' socket are in api/request_head.hpp.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "drawbridge/api/request_head.hpp"

namespace drawbridge::console {

inline constexpr std::size_t max_fields = 100;
inline constexpr std::size_t max_browser_target_bytes = 2 * 1024;

// The position after the head's last byte, which is the end of an empty line (LF or CR LF). npos: not there yet.
[[nodiscard]] std::size_t end_of_head(std::string_view bytes);

// `head` ends where end_of_head() says; `authority` is the only valid Host. nullopt: a parser may read the head.
[[nodiscard]] std::optional<api::HeadFault> fault_in_head(std::string_view head, std::string_view authority);

}  // namespace drawbridge::console
