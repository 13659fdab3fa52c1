// How a list is narrowed down: tabs that are links, and a form that asks for the same page again. Private to this
// module.
#pragma once

#include <initializer_list>
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
// Saves the whole list as a file, with the filters of the page.
[[nodiscard]] Html download_button(LocalPath path, const Query& query, std::string_view words = "Download CSV");
// The command with the filters of the page: parameter "min_amount" is option "--min-amount". Quoted as a shell reads
// it.
[[nodiscard]] std::string command_with(std::string command, const Query& query,
                                       std::initializer_list<std::string_view> parameters);
// A GET form of these fields. `kept`: parameters that stay as they are.
[[nodiscard]] Html filter_form(LocalPath target, const std::vector<Field>& fields, const Query& kept = {});

}  // namespace drawbridge::pages
