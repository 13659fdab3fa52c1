#pragma once
// Owns how a moment is written and read on the wire: UTC, ISO 8601, without an offset.
// Must never consult a time zone or the process's TZ.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace draws_sandbox {

using Instant = std::chrono::sys_time<std::chrono::milliseconds>;

[[nodiscard]] Instant now();

// "2025-03-04T05:06:07", with ".089" only when there are milliseconds.
void append_instant(std::string& out, Instant instant);

// Accepts a date alone (midnight), a date-time with or without seconds and fraction, and a trailing Z, which says what
// the specification says anyway. Any other offset, an impossible date or trailing text is refused.
[[nodiscard]] std::optional<Instant> parse_instant(std::string_view text);

// "Sun, 06 Nov 1994 08:49:37 GMT", the form of Date and Retry-After.
[[nodiscard]] std::string http_date(Instant instant);

}  // namespace draws_sandbox
