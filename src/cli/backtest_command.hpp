// Replays past decisions under other rules. Private to this module.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "call_api.hpp"

namespace drawbridge::cli {

// The instant that is `span` ("90d", "12h") before now. nullopt: not a duration.
[[nodiscard]] std::optional<std::string> instant_before_now(std::string_view span);

// Requests the history in slices and adds them up. `body`: "rules" and "file", "base" and "base_file", "since".
[[nodiscard]] Answer replay(const Options& options, nlohmann::json body);

void show_replay(const nlohmann::json& result);

}  // namespace drawbridge::cli
