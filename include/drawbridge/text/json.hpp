// Parses JSON from outside this process into nlohmann::json. The Draws Service's answers are the one exception:
// service/json.hpp reads them, because their amounts must keep their text.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "drawbridge/domain/error.hpp"

namespace drawbridge::text {

// JSON values are copied and written recursively, so depth costs stack.
inline constexpr int max_json_depth = 64;

// Fails on text that is not valid JSON or nests deeper than max_json_depth. Never throws. Members of that name are
// checked, but not kept: they take no memory.
[[nodiscard]] Result<nlohmann::json> parse_json(std::string_view text, std::string_view without_member = {});

// A member that an object in this valid JSON has twice: parse_json() keeps only the last one.
[[nodiscard]] std::optional<std::string> repeated_member(std::string_view text);

}  // namespace drawbridge::text
