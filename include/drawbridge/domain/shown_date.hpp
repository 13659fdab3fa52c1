// How a date that we sent compares with the one that the service shows.
#pragma once

#include "drawbridge/domain/time.hpp"

namespace drawbridge {

// The service may store less precision than we send: the day decides, in UTC or in the office's zone.
[[nodiscard]] bool is_same_day(const TimeZone& office, Instant shown, Instant sent);

}  // namespace drawbridge
