// Taking a text with {placeholders} apart. Private to this module.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/error.hpp"

namespace drawbridge::disbursement {

// Cuts a template into texts and {names}. The error is about the braces, or what `on_name` has against a name.
[[nodiscard]] Result<void> cut(std::string_view text, const std::function<void(std::string_view)>& on_text,
                               const std::function<Result<void>(std::string_view)>& on_name);

// What the template can become, as a regular expression (RE2) over the whole text: its texts as they are, and for each
// name what `pattern_of` gives. The template is one that cut() takes.
[[nodiscard]] std::string pattern_of_template(std::string_view text,
                                              const std::function<std::string_view(std::string_view)>& pattern_of);

// The error about a placeholder that there is not, with what was probably meant, or all that there are.
[[nodiscard]] Result<void> unknown_placeholder(std::string_view name, const std::vector<std::string_view>& known);

}  // namespace drawbridge::disbursement
