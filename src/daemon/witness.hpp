// What `drawbridge check` says of the witness.
#pragma once

#include <string>
#include <vector>

#include "drawbridge/config/config.hpp"
#include "drawbridge/text/diagnostic.hpp"

namespace drawbridge::daemon {

// What is doubtful about it; what is good goes to `lines`. A folder that hangs costs its timeout.
[[nodiscard]] text::Diagnostics check_witness(const config::Config& config, std::vector<std::string>& lines);

// "/mnt/witness", "none", or empty: the configuration says nothing.
[[nodiscard]] std::string describe_witness(const config::Witness& witness);

}  // namespace drawbridge::daemon
