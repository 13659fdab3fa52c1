// The manual page draws-sandbox(1), generated from the command line's declarations.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace draws_sandbox {

// The text in roff.
std::string manual_page(const CLI::App& app);

}  // namespace draws_sandbox
