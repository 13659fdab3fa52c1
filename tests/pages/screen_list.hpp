// Every screen in its states, made from sample answers.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "drawbridge/pages/context.hpp"
#include "pages/sample_answers.hpp"

namespace drawbridge::pages::samples {

struct Screen {
    std::string name;  // "draws-many"
    std::function<std::string(Theme theme, const Words& words)> make;
};
[[nodiscard]] std::vector<Screen> screens();

}  // namespace drawbridge::pages::samples
