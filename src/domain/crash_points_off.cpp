#include "drawbridge/domain/crash_point.hpp"

namespace drawbridge {

void crash_point(std::string_view) {}

}  // namespace drawbridge
