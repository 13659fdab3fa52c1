// One request to the operators' API. Private to this module.
#pragma once

#include <expected>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "commands.hpp"
#include "drawbridge/daemon/programs.hpp"

namespace drawbridge::cli {

using Answer = std::expected<nlohmann::json, int>;  // otherwise: the exit code, all is said

[[nodiscard]] Answer call_api(const Options& options, std::string method, std::string target,
                         const nlohmann::json& body = nullptr);

// One of several requests that belong together.
[[nodiscard]] Answer call_api(daemon::Caller& caller, std::string method, std::string target,
                         const nlohmann::json& body = nullptr);

// The same with a body of bytes.
[[nodiscard]] Answer ask_with_bytes(daemon::Caller& caller, std::string method, std::string target, std::string bytes);

// Bytes for a JSON body.
[[nodiscard]] std::expected<std::string, int> ask_for_bytes(daemon::Caller& caller, std::string target,
                                                            const nlohmann::json& body);

// The answer as it is; for what is no JSON.
[[nodiscard]] std::expected<std::string, int> ask_text(const Options& options, std::string target);

// Any text as a segment of a path.
[[nodiscard]] std::string encoded(std::string_view text);

}  // namespace drawbridge::cli
