// The command line described for other programs: a manual page and a shell completion, made from the parser itself, so
// that they cannot say what it does not do.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace drawbridge::cli {

// drawbridge(1) in the man macros, `version` in its foot.
[[nodiscard]] std::string manual_page(const CLI::App& app, const std::string& version);

// A bash completion of sub-commands, options and, where an option or argument wants one, file names.
[[nodiscard]] std::string bash_completion(const CLI::App& app);

// Sub-commands that print these and the other pages that are made from tables: for the package, not among the commands
// that help lists.
void add_descriptions(CLI::App& app);

}  // namespace drawbridge::cli
