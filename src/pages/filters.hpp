// How a list is narrowed down: tabs that are links, and a form that asks for the same page again. Private to this
// module.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "drawbridge/pages/html.hpp"
#include "drawbridge/pages/screens.hpp"
#include "parts.hpp"

namespace drawbridge::pages {

struct FilterChoice {
    std::string_view value, words;
};

[[nodiscard]] std::string query_value(const Query& query, std::string_view key);
[[nodiscard]] Html filter_tabs(const Link& base, std::string_view key, std::span<const FilterChoice> choices,
                               std::string_view chosen, std::string_view name);
// A GET form of these fields. `kept`: parameters that stay as they are.
[[nodiscard]] Html filter_form(LocalPath target, const std::vector<Field>& fields, const Query& kept = {});

}  // namespace drawbridge::pages
