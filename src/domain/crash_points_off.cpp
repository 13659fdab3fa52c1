#include "drawbridge/domain/checkpoint_pages.hpp"
#include "drawbridge/domain/clock_shift.hpp"
#include "drawbridge/domain/crash_point.hpp"

namespace drawbridge {

void crash_point(std::string_view) {}

std::chrono::seconds clock_shift() {
    return {};
}

int checkpoint_pages(int standard) {
    return standard;
}

}  // namespace drawbridge
