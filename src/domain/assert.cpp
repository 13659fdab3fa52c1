#include "drawbridge/domain/assert.hpp"

#include <cstdio>
#include <cstdlib>

namespace drawbridge {

void assertion_failed(const char* expression, const char* file, int line, std::string_view why) {
    std::fprintf(stderr, "%s:%d: assertion failed: %s: %.*s\n", file, line, expression, static_cast<int>(why.size()),
                 why.data());
    std::abort();
}

}  // namespace drawbridge
