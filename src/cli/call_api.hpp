// One request to the operators' API. Private to this module.
#pragma once

#include <expected>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "commands.hpp"
#include "drawbridge/app/programs.hpp"
#include "drawbridge/domain/web_address.hpp"

namespace drawbridge::cli {

using Answer = std::expected<nlohmann::json, int>;  // error: the exit code; the message is printed

[[nodiscard]] Answer call_api(const Options& options, std::string method, std::string target,
                              const nlohmann::json& body = nullptr);

// One of several requests over the same connection.
[[nodiscard]] Answer call_api(app::Caller& caller, std::string method, std::string target,
                              const nlohmann::json& body = nullptr);

// The same with a raw body.
[[nodiscard]] Answer call_api_with_bytes(app::Caller& caller, std::string method, std::string target,
                                         std::string bytes);

// Sends a JSON body, returns the raw response body.
[[nodiscard]] std::expected<std::string, int> call_api_for_bytes(app::Caller& caller, std::string target,
                                                                 const nlohmann::json& body);

// The raw response body, for responses that are not JSON.
[[nodiscard]] std::expected<std::string, int> call_api_for_text(const Options& options, std::string target);

// GETs `target` and prints the answer. Returns the exit code.
[[nodiscard]] int show_answer(const Options& options, const std::string& target,
                              const std::function<void(const nlohmann::json&)>& show);
// As JSON with --json, otherwise with `show`.
void print_answer(const Options& options, const nlohmann::json& answer,
                  const std::function<void(const nlohmann::json&)>& show);

// POSTs the reason, and `more`, to `target`, and prints the line that `message` makes of the answer, or with --json the
// answer. Returns the exit code.
[[nodiscard]] int act(const Options& options, const std::string& target,
                      const std::function<std::string(const nlohmann::json&)>& message,
                      const nlohmann::json& more = nlohmann::json::object());

// "/calendar" and {"from=2026-11-01", "to=2026-11-30"} → "/calendar?from=2026-11-01&to=2026-11-30".
[[nodiscard]] std::string with_parameters(std::string path, const std::vector<std::string>& parameters);

}  // namespace drawbridge::cli
