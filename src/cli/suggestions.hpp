// Finds the unknown command or option in a wrong command line, and suggests the closest known one. Private to this
// module.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace drawbridge::cli {

// "unknown command 'stauts': did you mean 'status'?" Empty: every word is known, and something else is wrong.
[[nodiscard]] std::string suggestion_for(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace drawbridge::cli
