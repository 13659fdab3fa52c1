// Parses text with {placeholders}. Private to this module.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/error.hpp"

namespace drawbridge::disbursement {

// Splits a template into texts and {names}. The error is about the braces, or what `on_name` says about a name.
[[nodiscard]] Result<void> parse_template(std::string_view text, const std::function<void(std::string_view)>& on_text,
                                          const std::function<Result<void>(std::string_view)>& on_name);

// A regular expression (RE2) for every text that the template can expand to: its literal texts, and for each name the
// result of `pattern_of`. The template must be one that parse_template() accepts.
[[nodiscard]] std::string pattern_of_template(std::string_view text,
                                              const std::function<std::string_view(std::string_view)>& pattern_of);

// The error for an unknown placeholder, with the closest known one, or with the list of all.
[[nodiscard]] Result<void> unknown_placeholder(std::string_view name, const std::vector<std::string_view>& known);

}  // namespace drawbridge::disbursement
