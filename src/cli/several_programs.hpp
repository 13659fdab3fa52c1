// Questions about several programs, each with a configuration of its own. Private to this module.
#pragma once

#include <string>
#include <vector>

#include "commands.hpp"

namespace drawbridge::cli {

// What people call them: the names of their configuration files without .yaml, or the paths where two would be alike.
[[nodiscard]] std::vector<std::string> names_of_programs(const std::vector<std::string>& configs);

// `status` with several --config: a line for each program, and their sum.
[[nodiscard]] int status_of_programs(const Options& options);

}  // namespace drawbridge::cli
