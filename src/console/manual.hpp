// The manual page drawbridge-console(1), generated from the command line's declaration. Private to this program.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace drawbridge::console {

[[nodiscard]] std::string manual_page(const CLI::App& app);

}  // namespace drawbridge::console
