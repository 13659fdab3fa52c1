// Which page stands at which address, what it asks the daemon for, and which function of `pages` draws it. One table.
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
    std::string_view pattern;  // "/draws/*"
    // The next question, given the answers so far; nullopt: that was all. The first must be answered; any other is null
    // where it is refused.
    std::optional<Ask> (*next)(const pages::PageContext& page, const WebRequest& request,
                               const std::vector<Json>& answers);
    // `answers` has an entry for each question that was asked.
    std::string (*draw)(const pages::PageContext& page, const WebRequest& request, const std::vector<Json>& answers);
};

[[nodiscard]] std::span<const Screen> screens();
// nullptr: there is none.
[[nodiscard]] const Screen* find_screen(const std::vector<std::string>& segments);
// "/draws?total=true" and those parameters of the page that it has.
[[nodiscard]] std::string with_parameters(std::string target, const WebRequest& request,
                                          std::initializer_list<std::string_view> names);
// "/draws/*"
[[nodiscard]] bool is_at(const std::vector<std::string>& segments, std::string_view pattern);

}  // namespace drawbridge::console
