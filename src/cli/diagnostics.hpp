// Prints the diagnostics of a file: one line each on stderr, or JSON. Private to this module.
#pragma once

#include <nlohmann/json.hpp>

#include "drawbridge/text/diagnostic.hpp"

namespace drawbridge::cli {

[[nodiscard]] nlohmann::json view(const text::Diagnostics& diagnostics);
[[nodiscard]] bool has_errors(const text::Diagnostics& diagnostics);
void print(const text::Diagnostics& diagnostics);

}  // namespace drawbridge::cli
