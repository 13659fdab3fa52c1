// draws-sandbox(1), from its own command line.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace draws_sandbox {

// In roff.
std::string manual_page(const CLI::App& app);

}  // namespace draws_sandbox
