// One request to the operators' API. Private to this room.
#pragma once

#include <expected>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "commands.hpp"

namespace drawbridge::cli {

using Answer = std::expected<nlohmann::json, int>;  // otherwise: the exit code, all is said

[[nodiscard]] Answer ask(const Options& options, std::string method, std::string target,
                         const nlohmann::json& body = nullptr);

// The same with a body of bytes.
[[nodiscard]] Answer ask_with_bytes(const Options& options, std::string method, std::string target, std::string bytes);

// Any text as a segment of a path.
[[nodiscard]] std::string encoded(std::string_view text);

}  // namespace drawbridge::cli
