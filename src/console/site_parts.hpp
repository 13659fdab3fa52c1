// Makes replies, for all parts of the site. Private to this module.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "drawbridge/console/web.hpp"

namespace drawbridge::console {

using Json = nlohmann::json;

[[nodiscard]] Reply html(std::string page, int status);
[[nodiscard]] Reply json_reply(std::string body, int status);
// In the form of the daemon's errors.
[[nodiscard]] Json error_json(std::string_view code, std::string_view message);
[[nodiscard]] std::string dump(const Json& value);

}  // namespace drawbridge::console
