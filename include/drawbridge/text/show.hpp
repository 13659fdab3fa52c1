// Numbers, counts and durations as people read them.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace drawbridge::text {

// "12,500"
[[nodiscard]] std::string grouped(std::int64_t number);
// "1 draw", "12,500 draws", "3 entries", "2 batches"
[[nodiscard]] std::string counted(std::int64_t count, std::string_view what);
// The two largest units: "3d 4h", "2h 5m", "45s"; "0s" for less than a second or a negative duration.
[[nodiscard]] std::string short_duration(std::chrono::milliseconds duration);
// In single quotes; a long text is cut and ends in "…". The caller's output function replaces unprintable characters.
[[nodiscard]] std::string quoted(std::string_view text);
// Of a refusal by the daemon, which names the route first: "POST /pay: this needs the role operator" says enough
// without.
[[nodiscard]] std::string without_route(std::string_view message);

}  // namespace drawbridge::text
