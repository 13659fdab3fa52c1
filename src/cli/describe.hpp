// The manual page and the shell completion. Both are generated from the parser, so they always match it.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace drawbridge::cli {

// drawbridge(1) in the man macros, with `version` in the footer.
[[nodiscard]] std::string manual_page(const CLI::App& app, const std::string& version);

// A bash completion for sub-commands, options, their values and file names.
[[nodiscard]] std::string bash_completion(const CLI::App& app);

// The sub-commands that people are shown.
[[nodiscard]] std::vector<const CLI::App*> commands_of(const CLI::App& app);
// "drawbridge people add"
[[nodiscard]] std::string invocation(const CLI::App& app);

// Adds hidden sub-commands that print these and the other generated pages. The package build uses them.
void add_descriptions(CLI::App& app);

}  // namespace drawbridge::cli
