// Replays past decisions under other rules. Private to this module.
#pragma once

#include <expected>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "call_api.hpp"
#include "drawbridge/admin/records.hpp"

namespace drawbridge::cli {

// The instant that is `span` ("90d", "12h") before now. nullopt: not a duration.
[[nodiscard]] std::optional<std::string> instant_before_now(std::string_view span);

// Requests the history in slices and adds them up. `body`: "rules" and "file", "base" and "base_file", "since".
// Errors: the exit code, told already.
[[nodiscard]] std::expected<admin::records::Backtest, int> replay(const Options& options, nlohmann::json body);

void show_replay(const admin::records::Backtest& result);

}  // namespace drawbridge::cli
