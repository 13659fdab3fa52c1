// What a person may give as the reason of an act: text that shows something, and that lists, logs and the audit log of
// the Draws Service take whole.
#pragma once

#include <cstddef>
#include <string_view>

#include "drawbridge/domain/error.hpp"

namespace drawbridge::admin {

inline constexpr std::size_t max_reason_bytes = 500;

// Errors: it shows nothing, is too long, or has control characters other than ends of lines and tabs.
[[nodiscard]] Result<void> check_reason(std::string_view reason);

}  // namespace drawbridge::admin
