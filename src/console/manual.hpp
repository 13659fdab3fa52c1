// drawbridge-console(1) from the program's own command line. Private to this program.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace drawbridge::console {

[[nodiscard]] std::string manual_page(const CLI::App& app);

}  // namespace drawbridge::console
