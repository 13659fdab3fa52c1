// The table of screens: each one's address, its requests to the daemon, and the function of `pages` that renders it.
// Private to this module.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "drawbridge/console/web.hpp"
#include "drawbridge/pages/context.hpp"

namespace drawbridge::console {

using Json = nlohmann::json;

struct Ask {
    std::string method = "GET";
    std::string target = {};
    Json body = nullptr;
};

struct Screen {
    std::string_view pattern;  // `pattern`: "/draws/*".
    // The next request, given the answers so far; nullopt: there are no more. If the daemon refuses the first, there is
    // no page; the answer to any other is then null.
    std::optional<Ask> (*next)(const pages::PageContext& page, const WebRequest& request,
                               const std::vector<Json>& answers);
    // `answers` has an entry for each request.
    std::string (*draw)(const pages::PageContext& page, const WebRequest& request, const std::vector<Json>& answers);
};

[[nodiscard]] std::span<const Screen> screens();
// nullptr: there is none.
[[nodiscard]] const Screen* find_screen(const std::vector<std::string>& segments);
// Adds those parameters that the page's own request has: "/draws?total=true&state=held".
[[nodiscard]] std::string with_parameters(std::string target, const WebRequest& request,
                                          std::initializer_list<std::string_view> names);
// `pattern`: "/draws/*".
[[nodiscard]] bool is_at(const std::vector<std::string>& segments, std::string_view pattern);

}  // namespace drawbridge::console
