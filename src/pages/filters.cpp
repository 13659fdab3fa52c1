#include "filters.hpp"

#include <algorithm>

#include "drawbridge/domain/ascii.hpp"

namespace drawbridge::pages {

std::string query_value(const Query& query, std::string_view key) {
    const auto found = std::ranges::find(query, key, &Query::value_type::first);
    return found == query.end() ? std::string() : found->second;
}

Html filter_tabs(const Link& base, std::string_view key, std::span<const FilterChoice> choices, std::string_view chosen,
                 std::string_view name) {
    Html items;
    for (const auto& choice : choices) {
        const std::optional<std::string> current =
            choice.value == chosen ? std::optional<std::string>("true") : std::nullopt;
        items += el("li", el("a", {{"href", base.with(key, choice.value)}, {"aria-current", current}},
                             capitalized(std::string(choice.words))));
    }
    return el("nav", {{"class", "tabs"}, {"aria-label", name}}, el("ul", items));
}

Html download_button(LocalPath path, const Query& query, std::string_view words) {
    Query filters = query;
    std::erase_if(filters, [](const auto& one) { return one.first == "after" || one.first == "verify"; });
    return el("a", {{"class", "button"}, {"href", with_query(Link(path), filters)}, {"download", ""}}, words);
}

std::string command_with(std::string command, const Query& query, std::initializer_list<std::string_view> parameters) {
    constexpr std::string_view plain = "-_.:/@";
    for (const auto parameter : parameters) {
        const std::string value = query_value(query, parameter);
        if (value.empty()) continue;
        std::string option(parameter), quoted;
        std::ranges::replace(option, '_', '-');
        for (const char c : value)
            quoted += c == '\'' ? "'\\''" : std::string(1, c);
        const bool is_plain = std::ranges::all_of(
            value, [&](char c) { return is_letter_or_digit(c) || plain.find(c) != std::string_view::npos; });
        command += " --" + option + "=" + (is_plain ? value : "'" + quoted + "'");
    }
    return command;
}

Html filter_form(LocalPath target, const std::vector<Field>& fields, const Query& kept) {
    Html inputs;
    for (const auto& one : fields)
        inputs += input(one, "filter");
    for (const auto& [key, value] : kept) {
        if (!value.empty()) inputs += el("input", {{"type", "hidden"}, {"name", key}, {"value", value}});
    }
    return el("form",
              {{"class", "filters"},
               {"method", "get"},
               {"action", Link(target)},
               {"role", "search"},
               {"aria-label", "Filters"}},
              inputs, el("button", {{"type", "submit"}}, "Show"));
}

}  // namespace drawbridge::pages
