// Checks the witness for `drawbridge check`, and prepares it for `drawbridge witness init`.
#pragma once

#include <string>
#include <vector>

#include "drawbridge/config/config.hpp"
#include "drawbridge/text/diagnostic.hpp"

namespace drawbridge::app {

// Returns warnings, and adds what is in order to `lines`. A hanging folder takes up to the timeout.
[[nodiscard]] text::Diagnostics check_witness(const config::Config& config, std::vector<std::string>& lines);

}  // namespace drawbridge::app
