// Always-on assertions: a broken invariant is a bug, and a daemon that moves money stops at once.
#pragma once

#include <string_view>

namespace drawbridge {

// Prints the failed assertion on stderr and aborts.
[[noreturn]] void assertion_failed(const char* expression, const char* file, int line, std::string_view why);

}  // namespace drawbridge

#define DRAWBRIDGE_ASSERT(expression, why)                \
    (static_cast<bool>(expression) ? static_cast<void>(0) \
                                   : ::drawbridge::assertion_failed(#expression, __FILE__, __LINE__, why))
