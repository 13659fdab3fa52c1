// Credits that count as paid because no return came in time. Part of the confirm step. Private to this module.
#pragma once

#include <cstdint>

#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::pipeline {

struct AutoConfirmed {
    std::int64_t payments = 0;
    Money amount;
};

// If the configuration asks for it and money movement is not paused. A banking day counts only if this step ran on it
// after the bank had the file, so a clock that leaps ahead or was behind confirms nothing: that is an exception. Call
// it only after every file in the inbox has been imported: any of them may contain a return.
AutoConfirmed auto_confirm(Context& context);

}  // namespace drawbridge::pipeline
