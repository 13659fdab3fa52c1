// Which seeds a random test runs, and how far: from the environment, so that scripts/soak can go on and shrink.
#pragma once

#include <cstdlib>

namespace drawbridge::pipeline {

inline unsigned number_from(const char* variable, unsigned fallback) {
    const char* text = std::getenv(variable);
    return text == nullptr ? fallback : static_cast<unsigned>(std::strtoul(text, nullptr, 10));
}

inline unsigned first_seed() {
    return number_from("DRAWBRIDGE_MODEL_SEED", 1);
}
inline unsigned number_of_seeds(unsigned fallback) {
    return number_from("DRAWBRIDGE_MODEL_RUNS", fallback);
}
inline unsigned steps_of_a_seed(unsigned most) {
    return number_from("DRAWBRIDGE_MODEL_STEPS", most);
}

}  // namespace drawbridge::pipeline
