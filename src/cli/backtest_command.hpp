// Replaying the history under other rules. Private to this module.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "call_api.hpp"

namespace drawbridge::cli {

// The instant so long ago, as in "90d" or "12h"; nullopt: that is no span.
[[nodiscard]] std::optional<std::string> instant_before_now(std::string_view span);

// Asks for the history slice by slice and sums up. `body`: "rules" and "file", "base" and "base_file", "since".
[[nodiscard]] Answer replay(const Options& options, nlohmann::json body);

void show_replay(const nlohmann::json& result);

}  // namespace drawbridge::cli
