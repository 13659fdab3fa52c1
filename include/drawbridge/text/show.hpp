// Numbers and spans of time as people read them.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace drawbridge::text {

// "12,500"
[[nodiscard]] std::string grouped(std::int64_t number);
// The two largest parts: "3d 4h", "2h 5m", "45s"; "0s" for less than a second or a negative span.
[[nodiscard]] std::string span(std::chrono::milliseconds length);

}  // namespace drawbridge::text
