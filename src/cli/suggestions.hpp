// What a command line that could not be read holds that nobody knows: the word, and what was probably meant. Private to
// this module.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace drawbridge::cli {

// "unknown command 'stauts': did you mean 'status'?"; empty: every word is known, something else is wrong.
[[nodiscard]] std::string suggestion_for(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace drawbridge::cli
