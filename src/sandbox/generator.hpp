#pragma once
// Generates draws for an empty store. The same seed and day give the same draws, byte for byte.
// Must never read a clock or any other source of randomness.

#include <chrono>
#include <cstdint>

#include "store.hpp"

namespace draws_sandbox {

enum class Mix : std::uint8_t {
    realistic,  // mostly Pending Approval, some in every other status, a few nulls where allowed
    pending,    // every draw is Pending Approval and has amount, case and payee
};

struct GeneratorPlan {
    std::int64_t draws = 0;
    std::uint64_t seed = 1;
    std::chrono::sys_days as_of;  // draws are requested in the 60 days before it
    Mix mix = Mix::realistic;
};

// Fills an empty store in one transaction.
void generate(Store& store, const GeneratorPlan& plan);

}  // namespace draws_sandbox
