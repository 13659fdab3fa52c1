// Reads JSON that this process did not write: requests, answers, files. The only place that parses it.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "drawbridge/domain/error.hpp"

namespace drawbridge::text {

// JSON values are copied and written recursively: depth costs stack.
inline constexpr int max_json_depth = 64;

// Errors: it is not valid JSON, or its lists and objects nest deeper than max_json_depth. It never throws.
[[nodiscard]] Result<nlohmann::json> parse_json(std::string_view text);

}  // namespace drawbridge::text
