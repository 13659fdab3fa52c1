// Credits that count as paid because nothing came back in time. Part of the confirm step. Private to this module.
#pragma once

#include <cstdint>

#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::pipeline {

struct ByTime {
    std::int64_t payments = 0;
    Money amount;
};

// Where the configuration asks for it, and no movement of money is paused. Call it only after every file at hand has
// been taken: a return may be in any of them.
ByTime auto_confirm(Context& context);

}  // namespace drawbridge::pipeline
