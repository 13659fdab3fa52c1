// Which seeds the simulation runs, and how far: from the environment, so that scripts/soak can go on and shrink.
#pragma once

#include <algorithm>
#include <cstdlib>

namespace drawbridge::pipeline {

inline unsigned number_from(const char* variable, unsigned fallback) {
    const char* text = std::getenv(variable);
    return text == nullptr ? fallback : static_cast<unsigned>(std::strtoul(text, nullptr, 10));
}

inline unsigned first_seed() {
    return number_from("DRAWBRIDGE_SEED", 1);
}
inline unsigned number_of_seeds(unsigned fallback) {
    return number_from("DRAWBRIDGE_SEEDS", fallback);
}
inline unsigned steps_of_a_seed(unsigned most) {
    return std::min(most, number_from("DRAWBRIDGE_STEPS", most));
}
// All invariants of a ledger are checked after so many steps, and at the end: a violation stays in the ledger.
inline unsigned steps_between_checks() {
    return number_from("DRAWBRIDGE_STEPS_BETWEEN_CHECKS", 10);
}

}  // namespace drawbridge::pipeline
