#pragma once
// Owns the format of an instant on the wire: UTC, ISO 8601, without an offset.
// Must never use a time zone or the process's TZ.

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace draws_sandbox {

using Instant = std::chrono::sys_time<std::chrono::milliseconds>;

[[nodiscard]] Instant now();
// From now on `clock` says what time it is; empty: the system. For a sandbox inside a simulation.
void use_clock(std::function<Instant()> clock);

// "2025-03-04T05:06:07", with ".089" only if there are milliseconds.
void append_instant(std::string& out, Instant instant);

// Accepts a date (midnight), a date-time with or without seconds and fraction, and an optional trailing Z. Refuses any
// other offset, an impossible date and trailing text.
[[nodiscard]] std::optional<Instant> parse_instant(std::string_view text);

// "Sun, 06 Nov 1994 08:49:37 GMT", the format of Date and Retry-After.
[[nodiscard]] std::string http_date(Instant instant);

}  // namespace draws_sandbox
